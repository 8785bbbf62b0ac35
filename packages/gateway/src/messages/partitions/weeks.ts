import { messageIdAt } from '#kernel';

/** The messages of a week, Monday to Sunday by UTC: their ids begin with the time. */
export interface Week {
  /** Of its table. */
  readonly name: string;
  /** Ids from here on, */
  readonly from: string;
  /** and before this one. */
  readonly to: string;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Days are counted from a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The week that a time lies in, and so many after it. */
export function weeksFrom(now: number, more: number): Week[] {
  const first = Math.floor((now - FIRST_MONDAY_MS) / WEEK_MS);
  return Array.from({ length: more + 1 }, (_, index) => weekNumber(first + index));
}

function weekNumber(number: number): Week {
  const start = FIRST_MONDAY_MS + number * WEEK_MS;
  const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
  return { name: `messages_${day}`, from: messageIdAt(start), to: messageIdAt(start + WEEK_MS) };
}
