import type { Member as PublicMember } from '@parley/contract';
import { apiError } from '#kernel';
import type { AccountRow, MemberRow, Writer } from '#platform/store';
import { auditedTransaction, findAccount, findAccountByEmail, findAccountIfAny } from '../account-queries.ts';
import { record } from '../audit/audit-queries.ts';
import type { Actor } from '../audit/change.ts';
import type { AccountsContext } from '../context.ts';
import { hashPassword, verifyPassword } from '../passwords.ts';
import {
  confirmedFactorsOf,
  deleteBrowserSessionsOf,
  findMember,
  findMemberByEmail,
  findMembersOf,
  insertMember,
  type Member,
  replacePasswordHash,
} from './member-queries.ts';

export function actorOf({ id }: Pick<Member, 'id'>): Actor {
  return `member:${id}`;
}

/** The member that an account begins with. */
export function firstMember(
  { ids }: Pick<AccountsContext, 'ids'>,
  { id, email, name, created_at }: AccountRow,
  { awaitsVerification = false }: { awaitsVerification?: boolean } = {},
): MemberRow {
  return {
    id: ids.member(),
    account_id: id,
    email,
    name,
    role: 'owner',
    password_hash: null,
    awaits_verification: awaitsVerification ? 1 : 0,
    created_at,
  };
}

/** For accounts that a process of the last release has made, which knows no members. */
async function carryOver(context: AccountsContext, account: AccountRow): Promise<void> {
  await context.store.transaction((trx) => insertMember(trx, firstMember(context, account)));
}

export async function memberByEmail(context: AccountsContext, email: string): Promise<Member | undefined> {
  const { read } = context.store;
  const known = await findMemberByEmail(read, email);
  if (known) return known;
  const account = await findAccountByEmail(read, email);
  if (!account) return undefined;
  await carryOver(context, account);
  return findMemberByEmail(read, email);
}

export async function membersOf(context: AccountsContext, accountId: string): Promise<Member[]> {
  const { read } = context.store;
  const account = await findAccount(read, accountId);
  const known = await findMembersOf(read, accountId);
  if (known.some(({ isFirst }) => isFirst)) return known;
  await carryOver(context, account);
  return findMembersOf(read, accountId);
}

/** The one whom a browser belongs to that has signed in. Without an id the account's first owner has. */
export async function memberOfSession(
  context: AccountsContext,
  { accountId, memberId }: { accountId: string; memberId: string | null },
): Promise<Member | undefined> {
  if (memberId !== null) return findMember(context.store.read, memberId);
  if (!(await findAccountIfAny(context.store.read, accountId))) return undefined;
  return (await membersOf(context, accountId)).find(({ isFirst }) => isFirst);
}

export async function listMembers(context: AccountsContext, accountId: string): Promise<PublicMember[]> {
  const members = await membersOf(context, accountId);
  const ids = members.map(({ id }) => id);
  const guarded = await confirmedFactorsOf(context.store.read, ids);
  return members.map((member) => ({
    member_id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    has_password: member.passwordHash !== null,
    two_factor: guarded.has(member.id),
    joined_at: new Date(member.joinedAt).toISOString(),
  }));
}

/** The member with this email and password. Takes as long for an unknown email as for a wrong password. */
export async function memberByPassword(
  context: AccountsContext,
  { email, password }: { email: string; password: string },
): Promise<Member | undefined> {
  const member = await memberByEmail(context, email);
  const isRight = await verifyPassword(password, member?.passwordHash ?? null);
  return isRight ? member : undefined;
}

export async function changePassword(
  context: AccountsContext,
  memberId: string,
  { current, next }: { current: string; next: string },
): Promise<void> {
  const { store, clock, random } = context;
  const member = await requireMember(context, memberId);
  if (!(await verifyPassword(current, member.passwordHash))) throw apiError('password_wrong');
  const hash = await hashPassword(next, random);
  await auditedTransaction(store, async (trx) => {
    // Fails when a concurrent request has changed the password.
    if (!(await replacePasswordHash(trx, member, hash))) throw apiError('password_wrong');
    await endSessions(trx, member);
    await record(trx, clock.now(), {
      actor: actorOf(member),
      accountId: member.accountId,
      action: 'password.changed',
      subject: member.id,
    });
  });
}

export async function requireMember(
  { store }: Pick<AccountsContext, 'store'>,
  memberId: string,
): Promise<Member> {
  const member = await findMember(store.read, memberId);
  if (!member) throw apiError('member_not_found');
  return member;
}

export async function signOutEverywhere(context: AccountsContext, memberId: string): Promise<void> {
  const member = await requireMember(context, memberId);
  await context.store.transaction((trx) => endSessions(trx, member));
}

/** In every browser, with the change that makes it necessary. */
export function endSessions(trx: Writer, member: Member): Promise<void> {
  return deleteBrowserSessionsOf(trx, member);
}
