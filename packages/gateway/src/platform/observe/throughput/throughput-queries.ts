import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '#kernel';
import type { Reader, Store, ThroughputRow } from '#platform/store';

export type Span = ThroughputRow['span'];
export type Counts = Pick<ThroughputRow, 'accepted' | 'sent' | 'received' | 'delivered'>;

export const SPAN_MS = { minute: 60_000, hour: HOUR_MS } as const satisfies Record<Span, number>;
/** A little more than what is shown; bounds the table. */
const KEPT_MS = { minute: 25 * HOUR_MS, hour: 32 * DAY_MS } as const satisfies Record<Span, number>;

/** Adds new counts to their minutes and hours, and deletes the oldest. Other processes add theirs. */
export function addCounts(
  store: Pick<Store, 'transaction'>,
  minutes: ReadonlyMap<number, Counts>,
  now: number,
): Promise<void> {
  return store.transaction(async (trx) => {
    for (const [minute, counts] of [...minutes].toSorted(([a], [b]) => a - b)) {
      for (const span of ['minute', 'hour'] as const) {
        const starts_at = minute - (minute % SPAN_MS[span]);
        const added = (name: keyof Counts) => sql<number>`throughput.${sql.ref(name)} + ${counts[name]}`;
        await trx
          .insertInto('throughput')
          .values({ span, starts_at, ...counts })
          .onConflict((conflict) =>
            conflict.columns(['span', 'starts_at']).doUpdateSet({
              accepted: added('accepted'),
              sent: added('sent'),
              received: added('received'),
              delivered: added('delivered'),
            }),
          )
          .execute();
      }
    }
    for (const span of ['minute', 'hour'] as const) {
      await trx
        .deleteFrom('throughput')
        .where('span', '=', span)
        .where('starts_at', '<', now - KEPT_MS[span])
        .execute();
    }
  });
}

/** Oldest first; periods without activity are absent. */
export function countsSince(read: Reader, span: Span, since: number): Promise<ThroughputRow[]> {
  return read
    .selectFrom('throughput')
    .selectAll()
    .where('span', '=', span)
    .where('starts_at', '>=', since)
    .orderBy('starts_at')
    .execute();
}
