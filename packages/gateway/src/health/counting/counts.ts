import type { HealthDayRow } from '#store';

const DAY_MS = 86_400_000;

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
] as const satisfies readonly Exclude<keyof HealthDayRow, 'slot_id' | 'day'>[];
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

/** One row per number and day, whatever came together: in one order for everybody, so that no two wait for each other. */
export function sumUp(
  counts: readonly Count[],
): { slotId: string; day: number; sums: Map<CountName, number> }[] {
  const rows = new Map<string, { slotId: string; day: number; sums: Map<CountName, number> }>();
  for (const { slotId, at, name, by = 1 } of counts) {
    const day = dayOf(at);
    const key = `${slotId} ${day}`;
    const row = rows.get(key) ?? { slotId, day, sums: new Map() };
    rows.set(key, row);
    row.sums.set(name, (row.sums.get(name) ?? 0) + by);
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
