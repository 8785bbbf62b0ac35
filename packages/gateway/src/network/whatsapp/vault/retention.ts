import { type Clock, type LineLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { LinkStore } from './store.ts';

const HOUR_MS = 3_600_000;
/** A copy of something taken longer ago than this does not come again. */
const TRACES_KEPT_MS = 7 * 24 * HOUR_MS;
const SWEPT_AT_ONCE = 1_000;

/** Drops every hour what is over of all links, step by step until nothing is: there is no end to how much comes in. */
export function dropOldRecords({
  links,
  clock,
  log,
}: {
  links: Pick<LinkStore, 'sweep'>;
  clock: Clock;
  log: LineLog<'debug' | 'warn'>;
}): PeriodicJob {
  return startPeriodicJob({
    ...{ clock, firstAfterMs: HOUR_MS, everyMs: HOUR_MS },
    log: {
      debug: (details, message) => log.debug(details, message),
      error: (details, message) => log.warn(details, message),
    },
    name: 'link-record-retention',
    async work(stopping) {
      const now = clock.now();
      const over = { now, takenBefore: now - TRACES_KEPT_MS, limit: SWEPT_AT_ONCE };
      while (!stopping.aborted && (await links.sweep(over)));
    },
  });
}
