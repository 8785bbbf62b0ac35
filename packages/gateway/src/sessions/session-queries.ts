import { sql } from 'kysely';
import { type PageChoice, rowsToRead } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import type { Reader, SessionRow, Store, Writer } from '#platform/store';

type Db = Pick<Reader, 'selectFrom'>;

/** A session with the lease of its host. */
export type HeldRow = SessionRow & { readonly lease_expires_at: number | null };

function sessions(db: Db) {
  return db
    .selectFrom('sessions')
    .leftJoin('workers', 'workers.worker', 'sessions.worker')
    .selectAll('sessions')
    .select('workers.lease_expires_at');
}

export function findSession(db: Db, slotId: string): Promise<HeldRow | undefined> {
  return sessions(db).where('sessions.slot_id', '=', slotId).executeTakeFirst();
}

export async function findSessions(db: Db, slotIds: readonly string[]): Promise<HeldRow[]> {
  return slotIds.length === 0 ? [] : sessions(db).where('sessions.slot_id', 'in', slotIds).execute();
}

/** `phone` restricts it to one number. */
export function sessionsOfAccount(db: Db, accountId: string, phone: string | null): Promise<HeldRow[]> {
  let query = sessions(db).where('sessions.account_id', '=', accountId);
  if (phone !== null) query = query.where('sessions.phone', '=', phone);
  return query.orderBy('sessions.slot_id').execute();
}

export function sessionRows(db: Db, page: PageChoice): Promise<HeldRow[]> {
  let query = sessions(db).orderBy('sessions.slot_id');
  if (page.cursor !== undefined) query = query.where('sessions.slot_id', '>', page.cursor);
  return query.limit(rowsToRead(page)).execute();
}

/** Counts sessions by state and lease: 2 (held), 1 (lapsed recently), 0 (lapsed long ago), -1 (none). */
export function countByState(
  db: Db,
  {
    lostAfter,
    leasedAfter,
    leasedLatelyAfter,
  }: { lostAfter: number; leasedAfter: number; leasedLatelyAfter: number },
) {
  return db
    .selectFrom('sessions')
    .leftJoin('workers', 'workers.worker', 'sessions.worker')
    .select(({ eb, lit, fn }) => [
      'sessions.status',
      'sessions.reason',
      eb.case().when('sessions.since', '>', lostAfter).then(lit(1)).else(lit(0)).end().as('is_recent'),
      eb
        .case()
        .when('workers.lease_expires_at', '>', leasedAfter)
        .then(lit(2))
        .when('workers.lease_expires_at', '>', leasedLatelyAfter)
        .then(lit(1))
        .when('workers.lease_expires_at', 'is not', null)
        .then(lit(0))
        .else(lit(-1))
        .end()
        .as('lease'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy(['sessions.status', 'sessions.reason', 'is_recent', 'lease'])
    .execute();
}

export async function allWorkers(db: Db) {
  const rows = await db
    .selectFrom('workers')
    .leftJoin('sessions', 'sessions.worker', 'workers.worker')
    .select(['workers.worker', 'workers.started_at', 'workers.last_seen'])
    .select(({ fn }) => fn.count('sessions.slot_id').as('sessions'))
    .groupBy(['workers.worker', 'workers.started_at', 'workers.last_seen'])
    .orderBy('workers.started_at')
    .execute();
  return rows.map((row) => ({ ...row, sessions: Number(row.sessions) }));
}

export async function setAutoReject(store: Store, linkId: string, enabled: boolean): Promise<void> {
  await store.transaction((trx) =>
    trx
      .updateTable('sessions')
      .set({ auto_reject: enabled ? 1 : 0 })
      .where('link_id', '=', linkId)
      .execute(),
  );
}

/** Undefined when the number is not linked. */
export async function setPresencePolicy(
  store: Store,
  slotId: string,
  policy: SessionRow['presence_policy'],
): Promise<string | undefined> {
  const row = await store.transaction((trx) =>
    trx
      .updateTable('sessions')
      .set({ presence_policy: policy })
      .where('slot_id', '=', slotId)
      .returning('session_id')
      .executeTakeFirst(),
  );
  return row?.session_id;
}

/** A session and the number of the worker that has just become its host. */
export interface ClaimedSession {
  readonly number: OwnedNumber;
  readonly row: SessionRow;
}

/**
 * Rows that no other transaction is taking. Use it as a `with` of its own: PostgreSQL may run a subquery once for
 * each row that it compares, and each run would lock other rows.
 */
export function lockedFor<Query extends { forUpdate(): Query; skipLocked(): Query }>(
  { dialect }: Pick<Store, 'dialect'>,
  query: Query,
): Query {
  return dialect === 'postgres' ? query.forUpdate().skipLocked() : query;
}

export interface NewLink {
  readonly number: OwnedNumber;
  readonly linkId: string;
  readonly sessionId: string;
  readonly lid: string | null;
  /** Null: no host yet. */
  readonly worker: string | null;
  readonly at: number;
}

async function isLinked(trx: Writer, slotId: string): Promise<boolean> {
  const known = await trx
    .selectFrom('sessions')
    .select('status')
    .where('slot_id', '=', slotId)
    .executeTakeFirst();
  return known !== undefined && known.status !== 'logged_out';
}

/** Gives a number its link and makes the worker its host. The link before it becomes an unlink job. */
export async function keepLink(trx: Writer, link: NewLink): Promise<ClaimedSession> {
  const { number, linkId, sessionId, lid, worker, at } = link;
  const before = await trx
    .selectFrom('sessions')
    .select(['link_id', 'fence'])
    .where('slot_id', '=', number.slotId)
    .executeTakeFirst();
  const fence = (before?.fence ?? 0) + 1;
  if (before) await enqueueUnlinkJob(trx, { linkId: before.link_id, fence, at });
  const fresh = {
    session_id: sessionId,
    link_id: linkId,
    lid,
    status: 'reconnecting',
    since: at,
    reported: null,
    reason: null,
    reason_detail: null,
    reason_until: null,
    worker,
    fence,
  } as const;
  const row = await trx
    .insertInto('sessions')
    .values({
      slot_id: number.slotId,
      account_id: number.accountId,
      phone: number.phone,
      auto_reject: 0,
      presence_policy: 'auto',
      ...fresh,
    })
    .onConflict((conflict) => conflict.column('slot_id').doUpdateSet(fresh))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { number, row };
}

/** Queues a link to be unlinked on the network and forgotten by a worker. */
export async function enqueueUnlinkJob(
  trx: Writer,
  { linkId, fence, at }: { linkId: string; fence: number; at: number },
): Promise<void> {
  await trx
    .insertInto('ending_links')
    .values({ link_id: linkId, fence, since: at, taken_until: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface UnlinkJob {
  readonly linkId: string;
  readonly fence: number;
  /** Since when it is to be unlinked. */
  readonly since: number;
}

/** Takes some unlink jobs for a while, as their next owner: an earlier owner still at work cannot write any more. */
export async function takeUnlinkJobs(
  store: Store,
  { machineNow, until, limit }: { machineNow: number; until: number; limit: number },
): Promise<UnlinkJob[]> {
  const free = store.read
    .selectFrom('ending_links')
    .select('link_id')
    .where('taken_until', '<=', machineNow)
    .orderBy('since')
    .limit(limit);
  if ((await free.execute()).length === 0) return [];
  return store.transaction(async (trx) => {
    const rows = await trx
      .with('free', () => lockedFor(store, free))
      .updateTable('ending_links')
      .set((row) => ({ taken_until: until, fence: row('fence', '+', 1) }))
      .where('link_id', 'in', (db) => db.selectFrom('free').select('free.link_id'))
      .returning(['link_id', 'fence', 'since'])
      .execute();
    return rows.map(({ link_id: linkId, fence, since }) => ({ linkId, fence, since }));
  });
}

/** Returns a failed unlink job; any worker may retry after `until` (machine's clock). */
export async function releaseUnlinkJob(store: Store, linkId: string, until = 0): Promise<void> {
  await store.transaction((trx) =>
    trx.updateTable('ending_links').set({ taken_until: until }).where('link_id', '=', linkId).execute(),
  );
}

export async function finishUnlinkJob(store: Store, linkId: string): Promise<void> {
  await store.transaction((trx) => trx.deleteFrom('ending_links').where('link_id', '=', linkId).execute());
}

/** Serializes transactions of one number across processes; SQLite has one writer anyway. */
export async function lockNumber(store: Store, trx: Writer, slotId: string): Promise<void> {
  if (store.dialect === 'postgres') {
    await sql`select pg_advisory_xact_lock(hashtext('parley number'), hashtext(${slotId}))`.execute(trx);
  }
}

export interface Adopted {
  readonly number: OwnedNumber;
  readonly linkId: string;
  readonly sessionId: string;
  readonly lid: string | null;
  readonly at: number;
}

/**
 * Gives a number a link that was made elsewhere; any worker with free slots hosts it next. False when the number is
 * linked here already.
 */
export function adoptSession(store: Store, { number, ...link }: Adopted): Promise<boolean> {
  return store.transaction(async (trx) => {
    if (await isLinked(trx, number.slotId)) return false;
    await keepLink(trx, { number, ...link, worker: null });
    return true;
  });
}
