import type { HealthCountRow } from '#store';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

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

/** What happened to a number at a time, and how often. */
export interface Count {
  readonly slotId: string;
  readonly at: number;
  readonly name: CountName;
  readonly by?: number;
}

/** The beginning of the day by UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** Where the last 24 hours begin: in whole hours, so that nothing of them is left out. */
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

/** One row per number and hour, whatever came together: in one order for everybody, so that no two wait for each other. */
export function sumUp(counts: readonly Count[]): HourOfNumber[] {
  const rows = new Map<string, HourOfNumber>();
  for (const { slotId, at, name, by = 1 } of counts) {
    const startsAt = hourOf(at);
    const key = `${slotId} ${startsAt}`;
    const row = rows.get(key) ?? { slotId, startsAt, sums: new Map() };
    rows.set(key, row);
    row.sums.set(name, (row.sums.get(name) ?? 0) + by);
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
