import type { Selectable, SelectQueryBuilder } from 'kysely';
import { type ApiRequestRow, containsText, type Store, type Tables, type Writer } from '#platform/store';

interface RequestFilter {
  readonly accountId: string;
  readonly keyId?: string | undefined;
  /** Range of the response status. */
  readonly from: number;
  readonly to: number;
  /** Text in the path, the error or the request id. */
  readonly search?: string | undefined;
  readonly since: number;
  readonly beforeSeq: number;
  readonly limit: number;
}

/** Newest first. */
export function listRequests(
  { read }: Pick<Store, 'read'>,
  filter: RequestFilter,
): Promise<Selectable<ApiRequestRow>[]> {
  const { accountId, keyId, from, to, search, since, beforeSeq, limit } = filter;
  return read
    .selectFrom('api_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('seq', '<', beforeSeq)
    .where('at', '>=', since)
    .where('status', '>=', from)
    .where('status', '<=', to)
    .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId as string))
    .$if(search !== undefined, (query) =>
      query.where(containsText(['path', 'error', 'request_id'], search as string)),
    )
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
}

/** Rows per transaction, so that other writers wait briefly. */
const STEP = 500;

export async function dropOldRequests(store: Store, before: number): Promise<void> {
  await inSteps(store, (trx) => trx.selectFrom('api_requests').select('seq').where('at', '<', before));
}

export async function dropSurplusRequests(
  store: Store,
  { accountId, keyId }: { accountId: string; keyId: string },
  keep: number,
): Promise<void> {
  const last = await store.read
    .selectFrom('api_requests')
    .select('seq')
    .where('key_id', '=', keyId)
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  await inSteps(store, (trx) =>
    trx
      .selectFrom('api_requests')
      .select('seq')
      .where('key_id', '=', keyId)
      .where('account_id', '=', accountId)
      .where('seq', '<=', last.seq),
  );
}

type Chosen = SelectQueryBuilder<Tables, 'api_requests', { seq: number }>;

async function inSteps(store: Store, some: (trx: Writer) => Chosen): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await store.transaction((trx) =>
      trx.deleteFrom('api_requests').where('seq', 'in', some(trx).limit(STEP)).executeTakeFirst(),
    );
    if (Number(numDeletedRows) < STEP) return;
  }
}
