import type { Command, DeliveryRow, Packing, PgSession, PgStatement } from '#store';

/** What became of a delivery: its new state, or its end. */
export type Settlement = Settled | Dropped;

interface OfOneDelivery {
  readonly seq: number;
  /** How often it had been tried when it was taken: whoever comes after another process has settled it changes nothing. */
  readonly triesBefore: number;
}

export interface Settled extends OfOneDelivery {
  readonly drop: false;
  /** Null: as it is, pending or on hold. */
  readonly status: Exclude<DeliveryRow['status'], 'pending'> | null;
  /** Null: as it is. */
  readonly url: string | null;
  readonly dueAt: number;
  readonly tries: number;
  readonly attempts: string;
  /** Null: as it is. */
  readonly event: string | null;
}

export interface Dropped extends OfOneDelivery {
  readonly drop: true;
}

type PackedSettlement =
  | readonly [seq: number, triesBefore: number]
  | readonly [
      seq: number,
      triesBefore: number,
      status: Settled['status'],
      url: string | null,
      dueAt: number,
      tries: number,
      attempts: string,
      event: string | null,
    ];

const packing = {
  pack: (settlement: Settlement): PackedSettlement => {
    const { seq, triesBefore } = settlement;
    if (settlement.drop) return [seq, triesBefore];
    const { status, url, dueAt, tries, attempts, event } = settlement;
    return [seq, triesBefore, status, url, dueAt, tries, attempts, event];
  },
  unpack: (packed: PackedSettlement): Settlement => {
    const [seq, triesBefore] = packed;
    if (packed.length === 2) return { seq, triesBefore, drop: true };
    const [, , status, url, dueAt, tries, attempts, event] = packed;
    return { seq, triesBefore, drop: false, status, url, dueAt, tries, attempts, event };
  },
} satisfies Packing<Settlement>;

/** Says of each whether it was still to be settled. */
export const settleDeliveries: Command<Settlement, boolean> = {
  name: 'webhooks.settle',
  packing,

  sqlite(db) {
    const update = db.prepare(
      `UPDATE deliveries
       SET status = coalesce(?, status), url = coalesce(?, url), due_at = ?, tries = ?, attempts = ?, event = coalesce(?, event)
       WHERE seq = ? AND tries = ? AND status IN ('pending', 'paused')`,
    );
    const remove = db.prepare(
      `DELETE FROM deliveries WHERE seq = ? AND tries = ? AND status IN ('pending', 'paused')`,
    );
    const settle = (settlement: Settlement): boolean => {
      const { seq, triesBefore } = settlement;
      if (settlement.drop) return remove.run(seq, triesBefore).changes === 1;
      const { status, url, dueAt, tries, attempts, event } = settlement;
      return update.run(status, url, dueAt, tries, attempts, event, seq, triesBefore).changes === 1;
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
    settled.map(({ triesBefore }) => triesBefore),
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
    dropped.map(({ triesBefore }) => triesBefore),
  ]);
  return rows.map(({ seq }) => seq);
}

const update: PgStatement = {
  name: 'webhooks.settle',
  text: `UPDATE deliveries d
         SET status = coalesce(s.status, d.status), url = coalesce(s.url, d.url), due_at = s.due_at, tries = s.tries,
             attempts = s.attempts, event = coalesce(s.event, d.event)
         FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])
           AS s(seq, tries_before, status, url, due_at, tries, attempts, event)
         WHERE d.seq = s.seq AND d.tries = s.tries_before AND d.status IN ('pending', 'paused')
         RETURNING d.seq`,
};

const remove: PgStatement = {
  name: 'webhooks.drop',
  text: `DELETE FROM deliveries d USING unnest($1::bigint[], $2::bigint[]) AS s(seq, tries_before)
         WHERE d.seq = s.seq AND d.tries = s.tries_before AND d.status IN ('pending', 'paused')
         RETURNING d.seq`,
};
