import type { Command, PgStatement } from '#store';
import { defineBatch } from '#store/batch';

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
