import { REQUEST_LOG_DAYS, REQUEST_LOG_MAX_PER_KEY } from '@parley/contract';
import type { KeyedRequest } from '#http';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob, type Timer } from '#kernel';
import type { Store } from '#store';
import { dropOldRequests, dropSurplusRequests } from './store.ts';
import { type LoggedRequest, logRequests } from './write-commands.ts';

/** Remembers what keys ask for, beside the requests: nobody waits for it, and a flood is remembered by a part of it. */
export interface RequestLog extends PeriodicJob {
  note(request: KeyedRequest): void;
}

/** After the first that is to be written: where nobody asks for anything, nothing wakes. */
const WRITE_AFTER_MS = 1_000;
/** Of each second. What was refused is what people look for, so it has places of its own. */
const TAKEN_MAX = 100;
const REFUSED_MAX = 100;
const TEXT_MAX_LENGTH = 300;
const TRIM_EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** How many a key may have too many of before it is looked at. */
const SURPLUS = 200;
const COMPLAINT = 'could not write the log of requests';

export function createRequestLog({
  store,
  clock,
  machineClock,
  log,
}: {
  store: Store;
  clock: Clock;
  machineClock: Clock;
  log: JobLog;
}): RequestLog {
  let taken: LoggedRequest[] = [];
  let refused: LoggedRequest[] = [];
  const written = new Map<string, { accountId: string; count: number }>();
  let due: Timer | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const requests = [...taken, ...refused];
    taken = [];
    refused = [];
    if (requests.length > 0) await store.run(logRequests, requests);
    for (const { accountId, keyId } of requests)
      written.set(keyId, { accountId, count: (written.get(keyId)?.count ?? 0) + 1 });
    for (const [keyId, { accountId, count }] of written) {
      if (count < SURPLUS) continue;
      written.delete(keyId);
      await dropSurplusRequests(store, { accountId, keyId }, REQUEST_LOG_MAX_PER_KEY);
    }
  }

  function writeWhatThereIs(): Promise<void> {
    due?.cancel();
    due = undefined;
    writing = writing.then(write).catch((thrown: unknown) => log.error({ err: thrown }, COMPLAINT));
    return writing;
  }

  const trimming = startPeriodicJob({
    ...{ clock, firstAfterMs: TRIM_EVERY_MS, everyMs: TRIM_EVERY_MS },
    work: () => dropOldRequests(store, clock.now() - REQUEST_LOG_DAYS * DAY_MS),
    ...{ log, name: 'request-log-retention' },
  });

  return {
    note({ seconds, path, error = null, ...request }) {
      const isRefused = request.status >= 400;
      const place = isRefused ? refused : taken;
      if (place.length >= (isRefused ? REFUSED_MAX : TAKEN_MAX)) return;
      place.push({
        ...request,
        at: clock.now(),
        path: path.slice(0, TEXT_MAX_LENGTH),
        durationMs: Math.round(seconds * 1_000),
        error: error?.slice(0, TEXT_MAX_LENGTH) ?? null,
      });
      due ??= machineClock.after(WRITE_AFTER_MS, writeWhatThereIs);
    },
    async stop() {
      await trimming.stop();
      await writeWhatThereIs();
    },
  };
}
