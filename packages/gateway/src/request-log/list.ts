import { type ApiRequest, REQUEST_LOG_DAYS, type RequestOutcome } from '@parley/contract';
import type { Clock } from '#kernel';
import type { Store } from '#store';
import { listRequests } from './store.ts';

interface RequestQuery {
  readonly key_id?: string | undefined;
  readonly outcome?: RequestOutcome | undefined;
  readonly search?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const DAY_MS = 24 * 60 * 60_000;

const STATUSES: Readonly<Record<RequestOutcome, readonly [from: number, to: number]>> = {
  taken: [0, 399],
  refused: [400, 499],
  limited: [429, 429],
  failed: [500, 599],
};

/** What the keys of an account have asked for lately, newest first. */
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
