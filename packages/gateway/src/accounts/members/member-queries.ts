import { BROWSER_SESSIONS_LISTED_MAX, type MemberRole } from '@parley/contract';
import type {
  AccountRow,
  BrowserSessionRow,
  InvitationRow,
  MemberRow,
  OneTimeLinkRow,
  Store,
  Writer,
} from '#platform/store';
import type { Queries } from '../account-queries.ts';

/** A person who may sign in for an account. */
export interface Member {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  /** Has the account's own email: the one whom a process of the last release takes for its owner. */
  readonly isFirst: boolean;
  readonly passwordHash: string | null;
  readonly awaitsVerification: boolean;
  readonly joinedAt: number;
}

function memberRows(db: Queries) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .selectAll('members')
    .select(['accounts.email as account_email', 'accounts.password_hash as account_password_hash']);
}

type JoinedRow = MemberRow & Pick<Prefixed, 'account_email' | 'account_password_hash'>;
interface Prefixed {
  account_email: AccountRow['email'];
  account_password_hash: AccountRow['password_hash'];
}

function memberOf(row: JoinedRow): Member {
  const isFirst = row.email === row.account_email;
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    name: row.name,
    role: row.role,
    isFirst,
    passwordHash: isFirst ? row.account_password_hash : row.password_hash,
    awaitsVerification: row.awaits_verification === 1,
    joinedAt: row.created_at,
  };
}

export async function findMember(db: Queries, id: string): Promise<Member | undefined> {
  const row = await memberRows(db).where('members.id', '=', id).executeTakeFirst();
  return row && memberOf(row);
}

export async function findMemberByEmail(db: Queries, email: string): Promise<Member | undefined> {
  const row = await memberRows(db).where('members.email', '=', email.toLowerCase()).executeTakeFirst();
  return row && memberOf(row);
}

/** In the order in which they joined. */
export async function findMembersOf(db: Queries, accountId: string): Promise<Member[]> {
  const rows = await memberRows(db)
    .where('members.account_id', '=', accountId)
    .orderBy('members.created_at')
    .orderBy('members.id')
    .execute();
  return rows.map(memberOf);
}

/** Does nothing when another member has the email. */
export async function insertMember(trx: Writer, row: MemberRow): Promise<void> {
  await trx
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateMember(trx: Writer, id: string, change: Partial<MemberRow>): Promise<void> {
  await trx.updateTable('members').set(change).where('id', '=', id).execute();
}

export async function deleteMember(trx: Writer, id: string): Promise<void> {
  await trx.deleteFrom('members').where('id', '=', id).execute();
}

/** False when it is not the one before any more. */
export async function replacePasswordHash(
  trx: Writer,
  { id, accountId, isFirst, passwordHash: before }: Member,
  after: string,
): Promise<boolean> {
  const still = before === null ? ('is' as const) : ('=' as const);
  const { numUpdatedRows } = isFirst
    ? await trx
        .updateTable('accounts')
        .set({ password_hash: after })
        .where('id', '=', accountId)
        .where('password_hash', still, before)
        .executeTakeFirst()
    : await trx
        .updateTable('members')
        .set({ password_hash: after })
        .where('id', '=', id)
        .where('password_hash', still, before)
        .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function insertLink(trx: Writer, row: OneTimeLinkRow): Promise<void> {
  await trx.insertInto('one_time_links').values(row).execute();
}

export function findLink(db: Queries, tokenHash: Uint8Array): Promise<OneTimeLinkRow | undefined> {
  return db.selectFrom('one_time_links').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
}

/** False when it was used meanwhile. */
export async function deleteLink(trx: Writer, tokenHash: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('one_time_links')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteLinksOf(trx: Writer, subject: string): Promise<void> {
  await trx.deleteFrom('one_time_links').where('subject', '=', subject).execute();
}

export async function deleteExpiredLinks(trx: Writer, now: number): Promise<void> {
  await trx.deleteFrom('one_time_links').where('expires_at', '<=', now).execute();
}

export async function confirmedFactorsOf(db: Queries, memberIds: readonly string[]): Promise<Set<string>> {
  if (memberIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('second_factors')
    .select('member_id')
    .where('member_id', 'in', memberIds)
    .where('confirmed_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ member_id }) => member_id));
}

export function findInvitation(db: Queries, id: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Those that are still good, oldest first. */
export function openInvitationsOf(db: Queries, accountId: string, now: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();
}

export async function insertInvitation(trx: Writer, row: InvitationRow): Promise<void> {
  await trx.insertInto('invitations').values(row).execute();
}

export async function deleteInvitation(trx: Writer, id: string): Promise<void> {
  await trx.deleteFrom('one_time_links').where('subject', '=', id).execute();
  await trx.deleteFrom('invitations').where('id', '=', id).execute();
}

/** Deletes the invitation that is replaced, and expired ones. */
export async function deleteReplacedInvitations(
  trx: Writer,
  { accountId, email, now }: { accountId: string; email: string; now: number },
): Promise<void> {
  const replaced = await trx
    .selectFrom('invitations')
    .select('id')
    .where('account_id', '=', accountId)
    .where((e) => e.or([e('email', '=', email), e('expires_at', '<=', now)]))
    .execute();
  for (const { id } of replaced) await deleteInvitation(trx, id);
}

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
