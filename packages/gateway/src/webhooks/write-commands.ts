import type { LaneName } from '#events';
import type { Command, PgStatement } from '#platform/store';
import { defineBatch } from '#platform/store/batch';
import { claimLane, releaseLane, writeResults } from './delivery/write-commands.ts';
import type { FailingNote } from './receivers/failing.ts';

interface Excess {
  readonly accountId: string;
  /** How many of the latest stay. */
  readonly keep: number;
  /** How many go at most. */
  readonly most: number;
}

const excesses = defineBatch<Excess>({ accountId: 'text', keep: 'bigint', most: 'bigint' });

/**
 * Drops what an account has too much of in its history; answers how many. What was delivered leaves before any dead letter does: among the
 * latest of a busy account there would be none left by the time it is dead. An account needs this often, so it shares a commit.
 */
export const dropExcess: Command<Excess, number> = {
  name: 'webhooks.drop-overflow',
  sqlite(db) {
    const drop = db.prepare(
      `DELETE FROM deliveries WHERE seq IN (
         SELECT seq FROM (
           SELECT seq FROM deliveries WHERE account_id = ?1 AND status = 'delivered' ORDER BY seq DESC
           LIMIT ?3 OFFSET max(?2 - (SELECT count(*) FROM deliveries WHERE account_id = ?1 AND status = 'dead'), 0)
         )
         UNION ALL SELECT seq FROM (
           SELECT seq FROM deliveries WHERE account_id = ?1 AND status = 'dead' ORDER BY seq DESC LIMIT ?3 OFFSET ?2
         )
         LIMIT ?3
       )`,
    );
    return (items) =>
      items.map(({ accountId, keep, most }) => Number(drop.run(accountId, keep, most).changes));
  },
  async postgres(client, items) {
    const { rows } = await client.query<{ account_id: string }>(drop, excesses.arrays(items));
    const dropped = Map.groupBy(rows, ({ account_id }) => account_id);
    return items.map(({ accountId }) => dropped.get(accountId)?.length ?? 0);
  },
};

const drop: PgStatement = {
  name: 'webhooks.drop-overflow',
  text: `DELETE FROM deliveries d
         USING ${excesses.relation('o')}
         CROSS JOIN LATERAL (
           (SELECT seq FROM deliveries WHERE account_id = o.account_id AND status = 'delivered' ORDER BY seq DESC
            LIMIT o.most OFFSET greatest(
              o.keep - (SELECT count(*) FROM deliveries WHERE account_id = o.account_id AND status = 'dead'), 0))
           UNION ALL
           (SELECT seq FROM deliveries WHERE account_id = o.account_id AND status = 'dead' ORDER BY seq DESC
            LIMIT o.most OFFSET o.keep)
           LIMIT o.most
         ) old
         WHERE d.seq = old.seq RETURNING d.account_id`,
};

interface ReceiverNote extends LaneName {
  /** Null: it works. */
  readonly failing: FailingNote | null;
}

/** Records the state of receivers. A continued failure keeps its start, and whether its owner was notified. */
export const noteReceiver: Command<ReceiverNote, null> = {
  name: 'webhooks.note-receiver',

  sqlite(db) {
    const write = db.prepare(
      `INSERT INTO failing_receivers (account_id, url, failing_since, failed_at, cause, status_code, probe_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, url) DO UPDATE
       SET failed_at = excluded.failed_at, cause = excluded.cause, status_code = excluded.status_code, probe_at = excluded.probe_at`,
    );
    const remove = db.prepare('DELETE FROM failing_receivers WHERE account_id = ? AND url = ?');
    return (notes) =>
      notes.map(({ accountId, url, failing }) => {
        if (failing === null) remove.run(accountId, url);
        else {
          const { failingSince, failedAt, cause, statusCode, probeAt } = failing;
          write.run(accountId, url, failingSince, failedAt, cause, statusCode, probeAt);
        }
        return null;
      });
  },

  async postgres(client, notes) {
    // A lane belongs to one process: the last word about it is in one batch, and behind the others.
    const last = new Map(notes.map((note) => [`${note.accountId} ${note.url}`, note]));
    for (const { accountId, url, failing } of last.values()) {
      if (failing === null) await client.query(removeFailing, [accountId, url]);
      else {
        const { failingSince, failedAt, cause, statusCode, probeAt } = failing;
        await client.query(writeFailing, [
          accountId,
          url,
          failingSince,
          failedAt,
          cause,
          statusCode,
          probeAt,
        ]);
      }
    }
    return notes.map(() => null);
  },
};

const writeFailing: PgStatement = {
  name: 'webhooks.note-receiver.write',
  text: `INSERT INTO failing_receivers (account_id, url, failing_since, failed_at, cause, status_code, probe_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account_id, url) DO UPDATE
         SET failed_at = excluded.failed_at, cause = excluded.cause, status_code = excluded.status_code, probe_at = excluded.probe_at`,
};

const removeFailing: PgStatement = {
  name: 'webhooks.note-receiver.remove',
  text: 'DELETE FROM failing_receivers WHERE account_id = $1 AND url = $2',
};

export const commands = [claimLane, releaseLane, writeResults, dropExcess, noteReceiver];
