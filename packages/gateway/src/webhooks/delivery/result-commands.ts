import type { Command, DeliveryRow, Packing, PgSession, PgStatement } from '#store';

/** What became of a delivery: its new state, or its end. */
export type DeliveryResult = UpdatedDelivery | DroppedDelivery;

interface ResultOfDelivery {
  readonly seq: number;
  /** How often it had been tried when it was taken: whoever comes after another process has written one changes nothing. */
  readonly triesBefore: number;
}

export interface UpdatedDelivery extends ResultOfDelivery {
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

export interface DroppedDelivery extends ResultOfDelivery {
  readonly drop: true;
}

/** One behind the other, each as these values; those of a dropped one are null from the third on. */
type PackedResult = readonly [
  seq: number,
  triesBefore: number,
  dueAt: number | null,
  tries: number,
  attempts: string,
  status: UpdatedDelivery['status'],
  url: string | null,
  event: string | null,
];
const VALUES_EACH = 8;

const packing = {
  pack: (results: readonly DeliveryResult[]) =>
    results.flatMap((result): (string | number | null)[] => {
      const { seq, triesBefore } = result;
      if (result.drop) return [seq, triesBefore, null, null, null, null, null, null];
      const { dueAt, tries, attempts, status, url, event } = result;
      return [seq, triesBefore, dueAt, tries, attempts, status, url, event];
    }),
  unpack(packed: readonly unknown[]): DeliveryResult[] {
    const results: DeliveryResult[] = [];
    for (let at = 0; at < packed.length; at += VALUES_EACH) {
      const values = packed.slice(at, at + VALUES_EACH) as unknown as PackedResult;
      const [seq, triesBefore, dueAt, tries, attempts, status, url, event] = values;
      results.push(
        dueAt === null
          ? { seq, triesBefore, drop: true }
          : { seq, triesBefore, drop: false, dueAt, tries, attempts, status, url, event },
      );
    }
    return results;
  },
} satisfies Packing<readonly DeliveryResult[]>;

/** Writes what became of many deliveries at a time. */
export const writeResults: Command<readonly DeliveryResult[], null> = {
  name: 'webhooks.write-results',
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
    const write = (result: DeliveryResult): void => {
      const { seq, triesBefore } = result;
      if (result.drop) remove.run(seq, triesBefore);
      else {
        const { status, url, dueAt, tries, attempts, event } = result;
        update.run(status, url, dueAt, tries, attempts, event, seq, triesBefore);
      }
    };
    return (items) =>
      items.map((results) => {
        results.forEach(write);
        return null;
      });
  },

  async postgres(client, items) {
    const results = items.flat();
    await updateMany(
      client,
      results.filter((each) => !each.drop),
    );
    await removeMany(
      client,
      results.filter((each) => each.drop),
    );
    return items.map(() => null);
  },
};

async function updateMany(client: PgSession, updated: readonly UpdatedDelivery[]): Promise<void> {
  if (updated.length === 0) return;
  await client.query(update, [
    updated.map(({ seq }) => seq),
    updated.map(({ triesBefore }) => triesBefore),
    updated.map(({ status }) => status),
    updated.map(({ url }) => url),
    updated.map(({ dueAt }) => dueAt),
    updated.map(({ tries }) => tries),
    updated.map(({ attempts }) => attempts),
    updated.map(({ event }) => event),
  ]);
}

async function removeMany(client: PgSession, dropped: readonly DroppedDelivery[]): Promise<void> {
  if (dropped.length === 0) return;
  await client.query(remove, [dropped.map(({ seq }) => seq), dropped.map(({ triesBefore }) => triesBefore)]);
}

const update: PgStatement = {
  name: 'webhooks.write-results',
  text: `UPDATE deliveries d
         SET status = coalesce(s.status, d.status), url = coalesce(s.url, d.url), due_at = s.due_at, tries = s.tries,
             attempts = s.attempts, event = coalesce(s.event, d.event)
         FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])
           AS s(seq, tries_before, status, url, due_at, tries, attempts, event)
         WHERE d.seq = s.seq AND d.tries = s.tries_before AND d.status IN ('pending', 'paused')`,
};

const remove: PgStatement = {
  name: 'webhooks.drop',
  text: `DELETE FROM deliveries d USING unnest($1::bigint[], $2::bigint[]) AS s(seq, tries_before)
         WHERE d.seq = s.seq AND d.tries = s.tries_before AND d.status IN ('pending', 'paused')`,
};
