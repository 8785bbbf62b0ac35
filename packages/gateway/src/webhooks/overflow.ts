import type { Command, PgStatement } from '#store';

export interface OverflowOf {
  readonly accountId: string;
  /** How many of the latest stay. */
  readonly keep: number;
  /** How many go at most. */
  readonly limit: number;
}

const ENDED = "status IN ('delivered', 'dead')";

/** Drops what an account has too much of in its history; answers how many. A busy account needs it often, so it shares a commit. */
export const dropOverflow: Command<OverflowOf, number> = {
  name: 'webhooks.drop-overflow',
  sqlite(db) {
    const drop = db.prepare(
      `DELETE FROM deliveries WHERE seq IN (
         SELECT seq FROM deliveries WHERE account_id = ? AND ${ENDED} ORDER BY seq DESC LIMIT ? OFFSET ?
       )`,
    );
    return (items) =>
      items.map(({ accountId, keep, limit }) => Number(drop.run(accountId, limit, keep).changes));
  },
  async postgres(client, items) {
    const { rows } = await client.query<{ account_id: string }>(drop, [
      items.map(({ accountId }) => accountId),
      items.map(({ keep }) => keep),
      items.map(({ limit }) => limit),
    ]);
    const dropped = Map.groupBy(rows, ({ account_id }) => account_id);
    return items.map(({ accountId }) => dropped.get(accountId)?.length ?? 0);
  },
};

const drop: PgStatement = {
  name: 'webhooks.drop-overflow',
  text: `DELETE FROM deliveries d
         USING unnest($1::text[], $2::bigint[], $3::bigint[]) AS o(account_id, keep, most)
         CROSS JOIN LATERAL (
           SELECT seq FROM deliveries WHERE account_id = o.account_id AND ${ENDED} ORDER BY seq DESC LIMIT o.most OFFSET o.keep
         ) old
         WHERE d.seq = old.seq RETURNING d.account_id`,
};
