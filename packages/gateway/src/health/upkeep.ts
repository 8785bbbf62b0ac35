import { HEALTH_HISTORY_DAYS } from '@parley/contract';
import type { EventLog } from '#events';
import { type Clock, DAY_MS, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#platform/store';
import { dayOf, lastDayFrom } from './counting/counts.ts';
import { dropCounts, dueNumbers, foldHours } from './health-queries.ts';
import { noteHealth } from './write-commands.ts';

interface UpkeepParts {
  readonly store: Store;
  readonly events: Pick<EventLog, 'announce'>;
  readonly clock: Clock;
  readonly log: JobLog;
}

/** Holds end with time alone; this only publishes their end. */
const LOOK_EVERY_MS = 10_000;
const TIDY_EVERY_MS = 60 * 60_000;
const PER_STEP = 500;

/**
 * Publishes the end of restrictions. Every hosting process does so; the first one writes it, and the others find it
 * done.
 */
export function endRestrictions(parts: UpkeepParts): PeriodicJob {
  const { store, events, clock } = parts;
  return startPeriodicJob({
    ...parts,
    everyMs: LOOK_EVERY_MS,
    name: 'ended-restrictions',
    async work(stopping) {
      for (;;) {
        const due = await dueNumbers(store, clock.now(), PER_STEP);
        for (const { slot_id: slotId, account_id: accountId, session_id: sessionId } of due) {
          if (stopping.aborted) return;
          const signals = [{ kind: 'time' }] as const;
          const note = { accountId, slotId, sessionId, at: clock.now(), signals, fence: null };
          if (await store.run(noteHealth, note)) events.announce([{ accountId }]);
        }
        if (due.length < PER_STEP) return;
      }
    },
  });
}

/** Keeps counts of the last day by hour, of earlier days by day, and deletes old ones. */
export function tidyCounts(parts: Pick<UpkeepParts, 'store' | 'clock' | 'log'>): PeriodicJob {
  const { store, clock } = parts;
  return startPeriodicJob({
    ...parts,
    everyMs: TIDY_EVERY_MS,
    name: 'count-retention',
    async work(stopping) {
      const now = clock.now();
      const kept = dayOf(now) - (HEALTH_HISTORY_DAYS - 1) * DAY_MS;
      while (!stopping.aborted && (await dropCounts(store, kept, PER_STEP)) === PER_STEP);
      const past = dayOf(lastDayFrom(now));
      while (!stopping.aborted && (await foldHours(store, past, PER_STEP)) === PER_STEP);
    },
  });
}
