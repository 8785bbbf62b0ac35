import { HEALTH_HISTORY_DAYS } from '@parley/contract';
import type { EventLog } from '#event-log';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { dayOf } from './counting/counts.ts';
import { dropDays, dueNumbers } from './store.ts';
import { noteHealth } from './write-commands.ts';

interface UpkeepParts {
  readonly store: Store;
  readonly events: Pick<EventLog, 'announce'>;
  readonly clock: Clock;
  readonly log: JobLog;
}

const LOOK_EVERY_MS = 1_000;
const DROP_EVERY_MS = 60 * 60_000;
const PER_STEP = 500;
const DAY_MS = 86_400_000;

/** Tells when a restriction has ended by itself. Every process that hosts does so; whoever comes first writes it, and the others find it done. */
export function endRestrictions(parts: UpkeepParts): PeriodicJob {
  const { store, events, clock } = parts;
  return startPeriodicJob({
    ...parts,
    everyMs: LOOK_EVERY_MS,
    complaint: 'could not look for restrictions that have ended; it is tried again',
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

/** Drops the counts of days that are long past. */
export function dropOldDays(parts: Pick<UpkeepParts, 'store' | 'clock' | 'log'>): PeriodicJob {
  const { store, clock } = parts;
  return startPeriodicJob({
    ...parts,
    everyMs: DROP_EVERY_MS,
    complaint: 'could not drop old counts; it is tried again',
    async work(stopping) {
      const before = dayOf(clock.now()) - (HEALTH_HISTORY_DAYS - 1) * DAY_MS;
      while (!stopping.aborted && (await dropDays(store, before, PER_STEP)) === PER_STEP);
    },
  });
}
