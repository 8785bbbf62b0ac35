import { BROWSER_SESSIONS_LISTED_MAX } from '@parley/contract';
import { sql } from 'kysely';
import type { BrowserSessionRow, Store, Writer } from '#store';

export async function insertBrowserSession(trx: Writer, row: BrowserSessionRow): Promise<void> {
  await trx.insertInto('browser_sessions').values(row).execute();
}

export function findBrowserSession(
  { read }: Pick<Store, 'read'>,
  tokenHashes: readonly Uint8Array[],
): Promise<BrowserSessionRow | undefined> {
  return read
    .selectFrom('browser_sessions')
    .selectAll()
    .where('token_hash', 'in', tokenHashes)
    .executeTakeFirst();
}

/** Seen last first. Those of the first owner may have been begun by a process that knew no members. */
export function browserSessionsOf(
  { read }: Pick<Store, 'read'>,
  { id, accountId, isFirst }: { id: string; accountId: string; isFirst: boolean },
): Promise<BrowserSessionRow[]> {
  return read
    .selectFrom('browser_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((e) => e.or([e('member_id', '=', id), ...(isFirst ? [e('member_id', 'is', null)] : [])]))
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(BROWSER_SESSIONS_LISTED_MAX + 1)
    .execute();
}

export async function markSeen(trx: Writer, tokenHash: Uint8Array, now: number): Promise<void> {
  await trx
    .updateTable('browser_sessions')
    .set({ seen_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteBrowserSession(trx: Writer, tokenHashes: readonly Uint8Array[]): Promise<void> {
  await trx.deleteFrom('browser_sessions').where('token_hash', 'in', tokenHashes).execute();
}

export async function deleteOldBrowserSessions(
  trx: Writer,
  { createdBefore, seenBefore }: { createdBefore: number; seenBefore: number },
): Promise<void> {
  await trx
    .deleteFrom('browser_sessions')
    .where((e) => e.or([e('created_at', '<=', createdBefore), e('seen_at', '<=', seenBefore)]))
    .execute();
}

/** How far each limit is used up; nobody else changes one of them before this transaction is over. */
export async function lockLimits(
  store: Store,
  trx: Writer,
  names: readonly string[],
): Promise<Map<string, number>> {
  const inOrder = [...names].sort();
  if (store.dialect === 'postgres') {
    for (const name of inOrder)
      await sql`select pg_advisory_xact_lock(hashtext('parley portal'), hashtext(${name}))`.execute(trx);
  }
  const rows = await trx
    .selectFrom('portal_limits')
    .select(['name', 'full_at'])
    .where('name', 'in', inOrder)
    .execute();
  return new Map(rows.map(({ name, full_at }) => [name, full_at]));
}

export async function writeLimit(trx: Writer, name: string, fullAt: number): Promise<void> {
  await trx
    .insertInto('portal_limits')
    .values({ name, full_at: fullAt })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ full_at: fullAt }))
    .execute();
}

export async function deleteUnusedLimits(trx: Writer, family: string, now: number): Promise<void> {
  await trx
    .deleteFrom('portal_limits')
    .where('full_at', '<=', now)
    .where('name', 'like', `${family}/%`)
    .execute();
}

export async function sessionIdsOf({ read }: Pick<Store, 'read'>, accountId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('sessions')
    .select('session_id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ session_id }) => session_id);
}
