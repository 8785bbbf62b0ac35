import { DAY_MS, HOUR_MS, sortBy } from '#kernel';
import type { HealthCountRow, NumberHealthRow } from '#platform/store';
import { defineBatch } from '#platform/store/batch';

export const COUNTS = [
  'sent',
  'new_chats',
  'replies',
  'refused_463_known',
  'refused_463_unknown',
  'refused_479',
  'rate_overlimit',
  'undecryptable',
  'deaf',
  'disconnects',
  'held_back',
  'received',
] as const satisfies readonly Exclude<keyof HealthCountRow, 'slot_id' | 'starts_at'>[];
export type CountName = (typeof COUNTS)[number];

/** An occurrence for a number at a time, and how often. */
export interface Count {
  readonly slotId: string;
  readonly at: number;
  readonly name: CountName;
  readonly by?: number;
}

/** Start of the day by UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** Start of the last 24 hours, rounded down to a full hour so that they are covered completely. */
export function lastDayFrom(now: number): number {
  return hourOf(now) - DAY_MS;
}

export type Counts = Readonly<Record<CountName, number>>;

export function sumOf(counts: readonly Partial<Counts>[]): Counts {
  const sums = COUNTS.map(
    (name) => [name, counts.reduce((sum, each) => sum + (each[name] ?? 0), 0)] as const,
  );
  return Object.fromEntries(sums) as Counts;
}

export interface HourOfNumber {
  readonly slotId: string;
  readonly startsAt: number;
  readonly sums: Map<CountName, number>;
}

/** One row per number and hour, in one order for all writers, so that they do not deadlock. */
export function sumUp(counts: readonly Count[]): HourOfNumber[] {
  const rows = new Map<string, HourOfNumber>();
  for (const { slotId, at, name, by = 1 } of counts) {
    const startsAt = hourOf(at);
    const key = `${slotId} ${startsAt}`;
    const row = rows.get(key) ?? { slotId, startsAt, sums: new Map() };
    rows.set(key, row);
    row.sums.set(name, (row.sums.get(name) ?? 0) + by);
  }
  return sortBy(rows, ([key]) => key).map(([, row]) => row);
}

export const numberHealthRows = defineBatch<NumberHealthRow>({
  slot_id: 'text',
  account_id: 'text',
  session_id: 'text',
  link_id: 'text',
  linked_at: 'bigint',
  is_linked: 'bigint',
  state: 'text',
  since: 'bigint',
  published: 'text',
  version: 'bigint',
  due_at: 'bigint',
  lock_type: 'text',
  lock_until: 'bigint',
  ban_kind: 'text',
  ban_code: 'bigint',
  ban_until: 'bigint',
  quota: 'bigint',
  quota_used: 'bigint',
  quota_ends: 'bigint',
  quota_warning: 'text',
  quota_spent: 'bigint',
  refusals: 'text',
  paused_until: 'bigint',
  repeated_until: 'bigint',
  trouble_until: 'bigint',
  pacing: 'text',
  inbound_at: 'bigint',
});
