import { BROWSER_SESSIONS_LISTED_MAX } from '@parley/contract';
import type { BrowserSessionRow, Store, Writer } from '#store';
import type { Member } from './store.ts';

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

/** In every browser. Those of the first owner may have been begun by a process that knew no members. */
export async function deleteBrowserSessionsOf(trx: Writer, member: Member): Promise<void> {
  await trx
    .deleteFrom('browser_sessions')
    .where('account_id', '=', member.accountId)
    .where((e) =>
      e.or([e('member_id', '=', member.id), ...(member.isFirst ? [e('member_id', 'is', null)] : [])]),
    )
    .execute();
}
