/** A stretch of time, from its start up to, not including, its end. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/**
 * The monthly period that contains `at`, rolling from `anchor`. The day of the month is that of the anchor, clamped to the month's
 * length: 31 Jan → 28 Feb → 31 Mar. All in UTC.
 */
export function periodAt(anchor: number, at: number): Period {
  const from = new Date(anchor);
  const to = new Date(at);
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  while (addMonths(anchor, months) > at) months--;
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) };
}

/** A month earlier, by the same calendar. */
export function monthBefore(at: number): number {
  return addMonths(at, -1);
}

function addMonths(anchor: number, months: number): number {
  const date = new Date(anchor);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
