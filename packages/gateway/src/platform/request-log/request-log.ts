import {
  type ApiRequest,
  REQUEST_LOG_DAYS,
  REQUEST_LOG_MAX_PER_KEY,
  type RequestOutcome,
} from '@parley/contract';
import { type Clock, DAY_MS, type JobLog, type PeriodicJob, startPeriodicJob, type Timer } from '#kernel';
import type { KeyedRequest } from '#platform/http';
import type { Store } from '#platform/store';
import { dropOldRequests, dropSurplusRequests, listRequests } from './request-queries.ts';
import { type LoggedRequest, logRequests } from './write-commands.ts';

/** Records requests of keys in the background: no request waits for it, and a flood is sampled. */
export interface RequestLog extends PeriodicJob {
  note(request: KeyedRequest): void;
}

/** Flush delay after the first buffered entry; an idle gateway sets no timer. */
const WRITE_AFTER_MS = 1_000;
/** Per second. Refused requests are what people look for, so they have a share of their own. */
const TAKEN_MAX = 100;
const REFUSED_MAX = 100;
const TEXT_MAX_LENGTH = 300;
const TRIM_EVERY_MS = 60 * 60_000;
/** New entries of a key between two deletions of its oldest ones. */
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

interface RequestQuery {
  readonly key_id?: string | undefined;
  readonly outcome?: RequestOutcome | undefined;
  readonly search?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const STATUSES: Readonly<Record<RequestOutcome, readonly [from: number, to: number]>> = {
  taken: [0, 399],
  refused: [400, 499],
  limited: [429, 429],
  failed: [500, 599],
};

/** Recent requests of an account's keys, newest first. */
export async function requestsOf(
  { store, clock }: { store: Pick<Store, 'read'>; clock: Pick<Clock, 'now'> },
  accountId: string,
  { key_id: keyId, outcome, search, before, limit }: RequestQuery,
): Promise<ApiRequest[]> {
  const [from, to] = outcome ? STATUSES[outcome] : [0, 599];
  const rows = await listRequests(store, {
    ...{ accountId, keyId, from, to, search: search?.trim() || undefined, limit },
    since: clock.now() - REQUEST_LOG_DAYS * DAY_MS,
    beforeSeq: before === undefined ? Number.MAX_SAFE_INTEGER : (seqOf(before) ?? 0),
  });
  return rows.map(({ seq, key_id, at, method, path, status, duration_ms, error, request_id }) => ({
    ...{ id: `rq_${seq.toString(36)}`, key_id, at: new Date(at).toISOString() },
    ...{ method, path, status, duration_ms, error, request_id },
  }));
}

function seqOf(id: string): number | undefined {
  const digits = /^rq_([0-9a-z]{1,10})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
}
