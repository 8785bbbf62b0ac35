import type { LaneName } from '#event-log';
import type { Command, PgStatement } from '#store';
import type { FailingNote } from './failing.ts';

interface ReceiverNote extends LaneName {
  /** Null: it works. */
  readonly failing: FailingNote | null;
}

/** Writes down how receivers do. What was written of the same failing before keeps its beginning, and whether somebody was told. */
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
