import { sql } from 'kysely';
import type { OwnedNumber } from '#http';
import { type PageChoice, rowsToRead } from '#kernel';
import type { Reader, SessionRow, Store, Writer } from '#store';

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

/** `phone` narrows it to one number. */
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

/** Counts those together that are in the same state, whatever that is by now; a lease is 2 (held), 1 (lapsed lately), 0 (long ago) or -1. */
export function countAlike(
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

/** A session that a worker has just become the host of. */
export interface ClaimedSession {
  readonly number: OwnedNumber;
  readonly row: SessionRow;
}

/**
 * Rows that nobody else is taking at this moment. Always as a `with` of its own: PostgreSQL is free to run a subquery once for every row that
 * it is compared with, and each run would lock others.
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
  /** Null: nobody, until one takes it. */
  readonly worker: string | null;
  readonly at: number;
}

export async function isLinked(trx: Writer, slotId: string): Promise<boolean> {
  const known = await trx
    .selectFrom('sessions')
    .select('status')
    .where('slot_id', '=', slotId)
    .executeTakeFirst();
  return known !== undefined && known.status !== 'logged_out';
}

/** Gives a number its link and makes the worker its host. What it was linked by before is left to be unlinked. */
export async function keepLink(trx: Writer, link: NewLink): Promise<ClaimedSession> {
  const { number, linkId, sessionId, lid, worker, at } = link;
  const before = await trx
    .selectFrom('sessions')
    .select(['link_id', 'fence'])
    .where('slot_id', '=', number.slotId)
    .executeTakeFirst();
  const fence = (before?.fence ?? 0) + 1;
  if (before) await leaveToEnd(trx, { linkId: before.link_id, fence, at });
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

/** Nobody wants this link any more: a worker unlinks it on the network and forgets it. */
export async function leaveToEnd(
  trx: Writer,
  { linkId, fence, at }: { linkId: string; fence: number; at: number },
): Promise<void> {
  await trx
    .insertInto('ending_links')
    .values({ link_id: linkId, fence, since: at, taken_until: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface EndingLink {
  readonly linkId: string;
  readonly fence: number;
  /** Since when nobody wants it. */
  readonly since: number;
}

/** Takes some of the links that are to end, for a while and as their next owner: one that is still about it cannot write any more. */
export async function takeEndingLinks(
  store: Store,
  { machineNow, until, limit }: { machineNow: number; until: number; limit: number },
): Promise<EndingLink[]> {
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

/** It could not be unlinked: whoever comes first may try again, though not before `until` (by the machine's clock). */
export async function leaveEndingLink(store: Store, linkId: string, until = 0): Promise<void> {
  await store.transaction((trx) =>
    trx.updateTable('ending_links').set({ taken_until: until }).where('link_id', '=', linkId).execute(),
  );
}

export async function linkHasEnded(store: Store, linkId: string): Promise<void> {
  await store.transaction((trx) => trx.deleteFrom('ending_links').where('link_id', '=', linkId).execute());
}

/** Follow each other per number, in all processes together; SQLite has one writer anyway. */
export async function lockNumber(store: Store, trx: Writer, slotId: string): Promise<void> {
  if (store.dialect === 'postgres') {
    await sql`select pg_advisory_xact_lock(hashtext('parley number'), hashtext(${slotId}))`.execute(trx);
  }
}
