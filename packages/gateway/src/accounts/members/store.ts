import type { MemberRole } from '@parley/contract';
import type { AccountRow, MemberRow, OneTimeLinkRow, Writer } from '#store';
import type { Queries } from '../store.ts';

/** Somebody who may sign in for an account. */
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

/** Does nothing when the email belongs to somebody already. */
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

/** False when somebody has used it meanwhile. */
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
