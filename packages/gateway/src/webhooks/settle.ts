import type { Command, DeliveryRow, PgSession, PgStatement } from '#store';

/** What became of a claimed delivery: its new state, or its end. */
export type Settlement = Settled | Dropped;

interface OfOneClaim {
  readonly seq: number;
  /** Whoever no longer holds the claim changes nothing. */
  readonly claimedBy: string;
}

export interface Settled extends OfOneClaim {
  readonly drop: false;
  readonly status: DeliveryRow['status'];
  readonly url: string;
  readonly dueAt: number;
  readonly tries: number;
  readonly attempts: string;
  readonly event: string | null;
}

export interface Dropped extends OfOneClaim {
  readonly drop: true;
}

/** Ends claims; says of each whether it was still held. */
export const settleDeliveries: Command<Settlement, boolean> = {
  name: 'webhooks.settle',

  sqlite(db) {
    const update = db.prepare(
      `UPDATE deliveries SET status = ?, url = ?, due_at = ?, tries = ?, attempts = ?, event = ?, claimed_until = 0
       WHERE seq = ? AND claimed_by = ? AND claimed_until > 0 AND status = 'pending'`,
    );
    const remove = db.prepare(
      `DELETE FROM deliveries WHERE seq = ? AND claimed_by = ? AND claimed_until > 0 AND status = 'pending'`,
    );
    const settle = (settlement: Settlement): boolean => {
      const { seq, claimedBy } = settlement;
      if (settlement.drop) return remove.run(seq, claimedBy).changes === 1;
      const { status, url, dueAt, tries, attempts, event } = settlement;
      return update.run(status, url, dueAt, tries, attempts, event, seq, claimedBy).changes === 1;
    };
    return (settlements) => settlements.map(settle);
  },

  async postgres(client, settlements) {
    const held = new Set([
      ...(await updateMany(
        client,
        settlements.filter((each) => !each.drop),
      )),
      ...(await removeMany(
        client,
        settlements.filter((each) => each.drop),
      )),
    ]);
    return settlements.map(({ seq }) => held.has(seq));
  },
};

async function updateMany(client: PgSession, settled: readonly Settled[]): Promise<number[]> {
  if (settled.length === 0) return [];
  const { rows } = await client.query<{ seq: number }>(update, [
    settled.map(({ seq }) => seq),
    settled.map(({ claimedBy }) => claimedBy),
    settled.map(({ status }) => status),
    settled.map(({ url }) => url),
    settled.map(({ dueAt }) => dueAt),
    settled.map(({ tries }) => tries),
    settled.map(({ attempts }) => attempts),
    settled.map(({ event }) => event),
  ]);
  return rows.map(({ seq }) => seq);
}

async function removeMany(client: PgSession, dropped: readonly Dropped[]): Promise<number[]> {
  if (dropped.length === 0) return [];
  const { rows } = await client.query<{ seq: number }>(remove, [
    dropped.map(({ seq }) => seq),
    dropped.map(({ claimedBy }) => claimedBy),
  ]);
  return rows.map(({ seq }) => seq);
}

const update: PgStatement = {
  name: 'webhooks.settle',
  text: `UPDATE deliveries d
         SET status = s.status, url = s.url, due_at = s.due_at, tries = s.tries, attempts = s.attempts, event = s.event, claimed_until = 0
         FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])
           AS s(seq, claimed_by, status, url, due_at, tries, attempts, event)
         WHERE d.seq = s.seq AND d.claimed_by = s.claimed_by AND d.claimed_until > 0 AND d.status = 'pending'
         RETURNING d.seq`,
};

const remove: PgStatement = {
  name: 'webhooks.drop',
  text: `DELETE FROM deliveries d USING unnest($1::bigint[], $2::text[]) AS s(seq, claimed_by)
         WHERE d.seq = s.seq AND d.claimed_by = s.claimed_by AND d.claimed_until > 0 AND d.status = 'pending'
         RETURNING d.seq`,
};
