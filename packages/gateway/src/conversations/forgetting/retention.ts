import { type Clock, DAY_MS, HOUR_MS, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { HistoryRow, Store } from '#platform/store';
import { chatsSince, clearedChats, listEnded, listHistories, sizeOf } from '../conversation-queries.ts';
import { dropExpired, dropOldest, dropOldMarks, dropSomeOf, STEP } from './deletion-queries.ts';

/** Interval for disappearing messages and histories that were switched off. */
const LOOK_EVERY_MS = 60_000;
/** Interval for age and size limits of all numbers. */
const SWEEP_EVERY_MS = HOUR_MS;
const CHATS_AT_ONCE = 100;
/** Sorts after every message of the same moment. */
const LAST_SEQ = Number.MAX_SAFE_INTEGER;

interface HistoryRetention {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: JobLog;
  readonly maxBytes: number;
}

/** Deletes messages in small steps: switched off, disappeared, too old, too large. */
export function startHistoryRetention(parts: HistoryRetention): PeriodicJob {
  const jobs = [
    startPeriodicJob({
      ...parts,
      everyMs: LOOK_EVERY_MS,
      work: (stopping) => dropWhatIsOver(parts, stopping),
      name: 'ended-conversations',
    }),
    startPeriodicJob({
      ...parts,
      firstAfterMs: LOOK_EVERY_MS,
      everyMs: SWEEP_EVERY_MS,
      work: (stopping) => trimAll(parts, stopping),
      name: 'conversation-retention',
    }),
  ];
  return { stop: () => Promise.all(jobs.map((job) => job.stop())).then(() => {}) };
}

type Parts = Omit<HistoryRetention, 'log'>;

/** Deletes histories that were switched off, and messages that have disappeared. */
export async function dropWhatIsOver({ store, clock }: Parts, stopping?: AbortSignal): Promise<void> {
  const goesOn = (): boolean => !stopping?.aborted;
  let dropped = 0;
  for (const { id } of await listEnded(store.read)) {
    while (goesOn() && (await dropSomeOf(store, id))) dropped += 1;
    dropped += 1;
  }
  for (let gone = STEP; goesOn() && gone === STEP; dropped += gone)
    gone = await dropExpired(store, clock.now());
  if (dropped > 0) await store.foldLog();
}

/** Deletes messages beyond the age or size limit of every number, and the rest of cleared chats. */
export async function trimAll({ store, clock, maxBytes }: Parts, stopping?: AbortSignal): Promise<void> {
  const goesOn = (): boolean => !stopping?.aborted;
  let dropped = 0;
  for (const history of await listHistories(store.read)) {
    if (!goesOn()) break;
    dropped += await dropCleared(store, history, goesOn);
    dropped += await dropOld(store, history, clock.now() - history.days * DAY_MS, goesOn);
    dropped += await dropSurplus(store, history, maxBytes, goesOn);
  }
  if (dropped > 0) await store.foldLog();
}

async function dropCleared(store: Store, { id }: HistoryRow, goesOn: () => boolean): Promise<number> {
  let dropped = 0;
  for (const chat of await clearedChats(store.read, id)) {
    const upTo = { at: chat.cleared_at, seq: chat.cleared_seq };
    for (let gone = STEP; goesOn() && gone === STEP; dropped += gone)
      gone = await dropOldest(store, chat, upTo);
  }
  return dropped;
}

async function dropOld(
  store: Store,
  { id }: HistoryRow,
  before: number,
  goesOn: () => boolean,
): Promise<number> {
  let dropped = 0;
  const upTo = { at: before, seq: LAST_SEQ };
  const some = { before, limit: CHATS_AT_ONCE };
  let chats = await chatsSince(store.read, id, some);
  while (chats.length > 0) {
    for (const chat of chats) {
      for (let gone = STEP; goesOn() && gone === STEP; dropped += gone)
        gone = await dropOldest(store, chat, upTo);
    }
    if (!goesOn()) return dropped;
    chats = await chatsSince(store.read, id, { ...some, after: chats.at(-1) });
  }
  // Includes marks on messages that never came, and in chats without messages.
  for (let gone = STEP; goesOn() && gone === STEP; dropped += gone)
    gone = await dropOldMarks(store, id, before);
  return dropped;
}

/** Deletes approximately the oldest first: each step takes from the chat that goes back furthest. */
async function dropSurplus(
  store: Store,
  { id }: HistoryRow,
  maxBytes: number,
  goesOn: () => boolean,
): Promise<number> {
  let dropped = 0;
  while (goesOn() && (await sizeOf(store.read, id)).bytes > maxBytes) {
    const [furthest] = await chatsSince(store.read, id, { before: Number.MAX_SAFE_INTEGER, limit: 1 });
    const gone = furthest
      ? await dropOldest(store, furthest, { at: Number.MAX_SAFE_INTEGER, seq: 0 }, 100)
      : 0;
    if (gone === 0) break;
    dropped += gone;
  }
  return dropped;
}
