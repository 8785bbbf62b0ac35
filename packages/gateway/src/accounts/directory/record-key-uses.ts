import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { writeLastUses } from '../store.ts';
import type { Directory } from './directory.ts';

const WRITE_EVERY_MS = 60_000;
/** The next minute's uses will be written; a last use that is a minute old is no harm. */
const COMPLAINT = 'could not record when keys were used';

/** Keeps `last_used_at` of keys, once a minute for all keys together: a write per request would cost more than the request. */
export function recordKeyUses({
  store,
  clock,
  directory,
  log,
}: {
  store: Store;
  clock: Clock;
  directory: Pick<Directory, 'takeKeyUses'>;
  log: JobLog;
}): PeriodicJob {
  async function work(): Promise<void> {
    const uses = directory.takeKeyUses();
    if (uses.size > 0) await store.transaction((trx) => writeLastUses(trx, uses));
  }

  const everyMs = WRITE_EVERY_MS;
  const job = startPeriodicJob({ clock, firstAfterMs: everyMs, everyMs, work, log, name: 'key-uses' });
  return {
    async stop() {
      await job.stop();
      await work().catch((error: unknown) => log.error({ err: error }, COMPLAINT));
    },
  };
}
