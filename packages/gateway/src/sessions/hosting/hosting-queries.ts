import type { Reader, SessionRow, Store } from '#platform/store';
import { type ClaimedSession, lockedFor } from '../session-queries.ts';
import type { Load } from './balance.ts';

type Db = Pick<Reader, 'selectFrom'>;

export interface Claim {
  readonly worker: string;
  readonly limit: number;
  readonly now: number;
  readonly machineNow: number;
}

/**
 * A claimed session. `from`: the worker that is gone without having released it; null when it was released or never
 * hosted.
 */
export interface FoundSession extends ClaimedSession {
  readonly from: string | null;
}

/** Makes the worker the host of sessions without one. Two workers never get the same session. */
export async function claimSessions(store: Store, claim: Claim): Promise<FoundSession[]> {
  const givenUp = await claimAmong(
    store,
    claim,
    waiting(store).where('worker', 'is', null).limit(claim.limit),
  );
  const gone = await goneWorkers(store, claim.machineNow);
  const limit = claim.limit - givenUp.length;
  if (gone.length === 0 || limit === 0) return givenUp;
  const left = waiting(store)
    .where('worker', 'in', gone)
    .where('worker', 'not in', aliveWorkers(store, claim.machineNow));
  return [...givenUp, ...(await claimAmong(store, claim, left.limit(limit)))];
}

/** Ordered by their index: without the order PostgreSQL scans all sessions until it has found enough. */
function waiting(store: Store) {
  return store.read
    .selectFrom('sessions')
    .select('slot_id')
    .where('status', '!=', 'logged_out')
    .orderBy('worker');
}

function aliveWorkers(store: Store, machineNow: number) {
  return store.read.selectFrom('workers').select('worker').where('lease_expires_at', '>', machineNow);
}

/**
 * Workers that still have sessions but no lease. Skips from worker to worker in the index, however many sessions each
 * has.
 */
async function goneWorkers(store: Store, machineNow: number): Promise<string[]> {
  const rows = await store.read
    .withRecursive('hosts(worker)', (db) =>
      db
        .selectFrom('sessions')
        .select(({ fn }) => fn.min<string | null>('sessions.worker').as('worker'))
        .unionAll(
          db
            .selectFrom('hosts')
            .where('hosts.worker', 'is not', null)
            .select(({ selectFrom }) =>
              selectFrom('sessions')
                .whereRef('sessions.worker', '>', 'hosts.worker')
                .select(({ fn }) => fn.min<string | null>('sessions.worker').as('worker'))
                .as('worker'),
            ),
        ),
    )
    .selectFrom('hosts')
    .select('hosts.worker')
    .where('hosts.worker', 'is not', null)
    .where('hosts.worker', 'not in', aliveWorkers(store, machineNow))
    .execute();
  return rows.flatMap(({ worker }) => worker ?? []);
}

async function claimAmong(
  store: Store,
  { worker, now }: Claim,
  free: ReturnType<typeof waiting>,
): Promise<FoundSession[]> {
  const found = await free.select('worker').execute();
  if (found.length === 0) return [];
  const before = new Map(found.map(({ slot_id, worker: last }) => [slot_id, last]));
  return store.transaction(async (trx) => {
    const rows = await trx
      .with('free', () => lockedFor(store, free))
      .updateTable('sessions')
      .set((row) => ({
        worker,
        fence: row('fence', '+', 1),
        status: 'reconnecting',
        since: row.case().when('status', '=', 'connected').then(now).else(row.ref('since')).end(),
      }))
      .where('slot_id', 'in', (db) => db.selectFrom('free').select('free.slot_id'))
      .returningAll()
      .execute();
    const numbers = await withNumbers(trx, rows);
    return numbers.map((each) => ({ ...each, from: before.get(each.number.slotId) ?? null }));
  });
}

async function withNumbers(db: Db, rows: readonly SessionRow[]): Promise<ClaimedSession[]> {
  if (rows.length === 0) return [];
  const slotIds = rows.map((row) => row.slot_id);
  const devices = await db
    .selectFrom('devices')
    .select(['slot_id', 'plan'])
    .where('slot_id', 'in', slotIds)
    .execute();
  const plans = new Map(devices.map(({ slot_id, plan }) => [slot_id, plan]));
  return rows.flatMap((row) => {
    const plan = plans.get(row.slot_id);
    const { slot_id: slotId, account_id: accountId, phone } = row;
    return plan === undefined ? [] : [{ row, number: { slotId, accountId, phone, plan } }];
  });
}

/** Releases sessions of the worker. They stay linked, without a host. */
export async function releaseSessions(
  store: Store,
  { worker, slotIds, now }: { worker: string; slotIds: readonly string[]; now: number },
): Promise<void> {
  // PostgreSQL takes no empty list.
  if (slotIds.length === 0) return;
  await store.transaction((trx) =>
    trx
      .updateTable('sessions')
      .set((row) => ({
        worker: null,
        status: 'reconnecting',
        since: row.case().when('status', '=', 'connected').then(now).else(row.ref('since')).end(),
      }))
      .where('worker', '=', worker)
      .where('slot_id', 'in', slotIds)
      .execute(),
  );
}

/** The presence policy of a number, and whether a webhook wants events that only online devices receive. */
export async function readPresence(
  db: Db,
  slotId: string,
): Promise<{ policy: SessionRow['presence_policy']; isWanted: boolean } | undefined> {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('webhooks', (join) =>
      join
        .onRef('webhooks.slot_id', '=', 'sessions.slot_id')
        .on('webhooks.active', '=', 1)
        .on('webhooks.events_url', '!=', ''),
    )
    .leftJoin('formatted_webhooks as formatted', (join) =>
      join
        .onRef('formatted.slot_id', '=', 'sessions.slot_id')
        .on('formatted.active', '=', 1)
        .on('formatted.events_url', '!=', ''),
    )
    .select(['sessions.presence_policy as policy', 'webhooks.id as listener', 'formatted.id as other'])
    .where('sessions.slot_id', '=', slotId)
    .executeTakeFirst();
  return row && { policy: row.policy, isWanted: row.listener !== null || row.other !== null };
}

/** Fences under which the worker hosts sessions, by slot. */
export async function fencesOf(db: Db, worker: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('sessions')
    .select(['slot_id', 'fence'])
    .where('worker', '=', worker)
    .execute();
  return new Map(rows.map((row) => [row.slot_id, row.fence]));
}

/** All workers that are alive, and the number of sessions to be hosted. */
export async function readLoads(db: Db, machineNow: number): Promise<{ loads: Load[]; total: number }> {
  const [workers, counts] = await Promise.all([
    db.selectFrom('workers').select('worker').where('lease_expires_at', '>', machineNow).execute(),
    countByWorker(db),
  ]);
  return {
    loads: workers.map(({ worker }) => ({ worker, sessions: counts.get(worker) ?? 0 })),
    total: sumOf(counts),
  };
}

/** Number of sessions to be hosted, with and without a host. */
export async function countSessions(db: Db): Promise<number> {
  return sumOf(await countByWorker(db));
}

async function countByWorker(db: Db): Promise<ReadonlyMap<string | null, number>> {
  const hosted = await db
    .selectFrom('sessions')
    .select(['worker', ({ fn }) => fn.countAll().as('sessions')])
    .where('status', '!=', 'logged_out')
    .groupBy('worker')
    .execute();
  return new Map(hosted.map(({ worker, sessions }) => [worker, Number(sessions)]));
}

function sumOf(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Inserts a worker with its first lease, and deletes workers whose leases lapsed long ago. */
export async function registerWorker(
  store: Store,
  {
    worker,
    now,
    leaseMs,
    dropBefore,
    keyIds,
  }: { worker: string; now: number; leaseMs: number; dropBefore: number; keyIds: readonly string[] },
): Promise<void> {
  await store.transaction(async (trx) => {
    await trx.deleteFrom('workers').where('lease_expires_at', '<', dropBefore).execute();
    await trx
      .insertInto('workers')
      .values({
        worker,
        started_at: now,
        last_seen: now,
        lease_expires_at: now + leaseMs,
        key_ids: keyIds.join(),
      })
      .execute();
  });
}

/** False when the lease had lapsed by `heldAfter`. */
export async function renewLease(
  store: Store,
  { worker, now, leaseMs, heldAfter }: { worker: string; now: number; leaseMs: number; heldAfter: number },
): Promise<boolean> {
  const renewed = await store.transaction((trx) =>
    trx
      .updateTable('workers')
      .set({ last_seen: now, lease_expires_at: now + leaseMs })
      .where('worker', '=', worker)
      .where('lease_expires_at', '>', heldAfter)
      .executeTakeFirst(),
  );
  return Number(renewed.numUpdatedRows) > 0;
}

export async function removeWorker(store: Store, worker: string): Promise<void> {
  await store.transaction((trx) => trx.deleteFrom('workers').where('worker', '=', worker).execute());
}

export async function removeAllWorkers(store: Store): Promise<void> {
  await store.transaction((trx) => trx.deleteFrom('workers').execute());
}
