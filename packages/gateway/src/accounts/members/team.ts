import {
  INVITATION_DAYS,
  type InvitationMade,
  type InvitationOpened,
  MEMBERS_MAX,
  type MemberRole,
  type Member as PublicMember,
  type Team,
} from '@parley/contract';
import { apiError, DAY_MS } from '#kernel';
import { line, type Mail } from '#platform/mail';
import type { InvitationRow, Writer } from '#platform/store';
import { auditedTransaction, findAccount, findAccountByEmail, updateAccount } from '../account-queries.ts';
import { record } from '../audit/audit-queries.ts';
import type { MembersContext } from '../context.ts';
import { hashPassword } from '../passwords.ts';
import { consumeLink, linkTo, makeToken, putVerificationMail, subjectOf } from './links.ts';
import {
  deleteInvitation,
  deleteLinksOf,
  deleteMember,
  deleteReplacedInvitations,
  findInvitation,
  findMemberByEmail,
  findMembersOf,
  insertInvitation,
  insertMember,
  type Member,
  openInvitationsOf,
  updateMember,
} from './member-queries.ts';
import { actorOf, endSessions, listMembers, membersOf, requireMember } from './members.ts';
import { deleteFactor } from './second-factor-queries.ts';

export async function readTeam(context: MembersContext, accountId: string): Promise<Team> {
  const { store, machineClock } = context;
  const invitations = await openInvitationsOf(store.read, accountId, machineClock.now());
  return {
    members: await listMembers(context, accountId),
    invitations: invitations.map(publicInvitation),
  };
}

interface Acting {
  readonly accountId: string;
  /** Who does it. */
  readonly memberId: string;
}

export async function changeMember(
  context: MembersContext,
  acting: Acting,
  { memberId, role }: { memberId: string; role: MemberRole },
): Promise<PublicMember> {
  const { store, clock } = context;
  const { accountId } = acting;
  await auditedTransaction(store, async (trx) => {
    const { member, others } = await teamWith(trx, accountId, memberId);
    if (member.role === role) return;
    if (member.role === 'owner') await handOver(trx, member, others);
    await updateMember(trx, memberId, { role });
    await record(trx, clock.now(), {
      actor: actorOf({ id: acting.memberId }),
      accountId,
      action: 'member.changed',
      subject: memberId,
      detail: { role },
    });
  });
  const changed = (await listMembers(context, accountId)).find((each) => each.member_id === memberId);
  if (!changed) throw apiError('member_not_found');
  return changed;
}

/** By another, or by the member. Their visits end, and nothing by which they could come in is left. */
export async function removeMember(
  { store, clock }: MembersContext,
  { accountId, memberId: actorId }: Acting,
  memberId: string,
): Promise<void> {
  await auditedTransaction(store, async (trx) => {
    const { member, others } = await teamWith(trx, accountId, memberId);
    if (member.role === 'owner') await handOver(trx, member, others);
    await endSessions(trx, member);
    await deleteLinksOf(trx, memberId);
    await deleteFactor(trx, memberId);
    await deleteMember(trx, memberId);
    await record(trx, clock.now(), {
      actor: actorOf({ id: actorId }),
      accountId,
      action: actorId === memberId ? 'member.left' : 'member.removed',
      subject: memberId,
      detail: { email: member.email },
    });
  });
}

async function teamWith(
  trx: Writer,
  accountId: string,
  memberId: string,
): Promise<{ member: Member; others: readonly Member[] }> {
  const members = await findMembersOf(trx, accountId);
  const member = members.find(({ id }) => id === memberId);
  if (!member) throw apiError('member_not_found');
  return { member, others: members.filter(({ id }) => id !== memberId) };
}

/** An account always has an owner. Where the first one goes, the account gets the email and the password of the next. */
async function handOver(trx: Writer, leaving: Member, others: readonly Member[]): Promise<void> {
  const next = others.find(({ role }) => role === 'owner');
  if (!next) throw apiError('last_owner');
  if (!leaving.isFirst) return;
  // Before the account has another first owner, to whom visits without a name would belong from then on.
  await endSessions(trx, leaving);
  await updateMember(trx, leaving.id, { password_hash: leaving.passwordHash });
  await updateAccount(trx, leaving.accountId, { email: next.email, password_hash: next.passwordHash });
  await updateMember(trx, next.id, { password_hash: null });
}

interface Inviting {
  readonly accountId: string;
  /** Who invites. */
  readonly memberId: string;
  /** Where the inviting browser has found us. */
  readonly origin: string;
}

/** Only the recipient learns, on acceptance, whether the address belongs to another account. */
export async function inviteMember(
  context: MembersContext,
  { accountId, memberId, origin }: Inviting,
  { email: given, role, by }: { email: string; role: MemberRole; by: 'mail' | 'link' },
): Promise<InvitationMade> {
  const { store, clock, machineClock, ids, mail } = context;
  if (by === 'mail' && !mail) throw apiError('mail_off');
  const email = given.toLowerCase();
  const members = await membersOf(context, accountId);
  if (members.some((each) => each.email === email)) throw apiError('email_taken');
  const now = machineClock.now();
  const goodForMs = INVITATION_DAYS * DAY_MS;
  const row: InvitationRow = {
    id: ids.invitation(),
    account_id: accountId,
    email,
    role,
    by_mail: by === 'mail' ? 1 : 0,
    expires_at: now + goodForMs,
    created_at: now,
  };
  const token = await auditedTransaction(store, async (trx) => {
    await deleteReplacedInvitations(trx, { accountId, email, now });
    const others = await openInvitationsOf(trx, accountId, now);
    if (members.length + others.length >= MEMBERS_MAX) throw apiError('too_many_members');
    await insertInvitation(trx, row);
    await record(trx, clock.now(), {
      actor: actorOf({ id: memberId }),
      accountId,
      action: 'member.invited',
      subject: row.id,
      detail: { email, role, by },
    });
    if (by === 'link')
      return (await makeToken(context, trx, { purpose: 'invitation', subject: row.id, goodForMs })).token;
    await mail?.outbox.put(trx, {
      kind: 'invitation',
      matter: { invitation: row.id },
      wantedForMs: goodForMs,
    });
    return undefined;
  });
  mail?.outbox.wake();
  return {
    ...publicInvitation(row),
    ...(token !== undefined && { url: linkTo(origin, 'invitation', token) }),
  };
}

function publicInvitation({ id, email, role, expires_at }: InvitationRow) {
  return { invitation_id: id, email, role, expires_at: new Date(expires_at).toISOString() };
}

export async function invitationMail(
  context: MembersContext,
  { invitation: id = '' }: { readonly invitation?: string },
): Promise<Mail | undefined> {
  const { store, machineClock, mail } = context;
  const invitation = await findInvitation(store.read, id);
  const goodForMs = (invitation?.expires_at ?? 0) - machineClock.now();
  const origin = mail?.origin();
  if (!invitation || goodForMs <= 0 || origin === undefined) return undefined;
  const account = await findAccount(store.read, invitation.account_id);
  const order = { purpose: 'invitation', subject: id, goodForMs } as const;
  const { token } = await store.transaction((trx) => makeToken(context, trx, order));
  return {
    to: invitation.email,
    subject: line`Join ${account.name} on Parley`,
    text: [
      line`You are invited to join the account ${account.name} in the Parley portal.`,
      line`Choose your password here, within ${INVITATION_DAYS} days:`,
      line`${linkTo(origin, 'invitation', token)}`,
      line`The link works once. If you do not know who invites you, do nothing.`,
    ],
  };
}

export async function openInvitation(context: MembersContext, token: string): Promise<InvitationOpened> {
  const { account_id, email, role } = await invitationOf(context, token);
  return { account: (await findAccount(context.store.read, account_id)).name, email, role };
}

export async function acceptInvitation(
  context: MembersContext,
  { token, name, password }: { token: string; name: string; password: string },
): Promise<Member> {
  const { store, clock, ids, random, mail } = context;
  const { id, account_id: accountId, email, role, by_mail } = await invitationOf(context, token);
  const password_hash = await hashPassword(password, random);
  // Who was handed the link has not shown that mails to the address reach them.
  const awaitsVerification = by_mail === 0 && mail !== undefined;
  const memberId = ids.member();
  await auditedTransaction(store, async (trx) => {
    await consumeLink(trx, token);
    if ((await findMemberByEmail(trx, email)) ?? (await findAccountByEmail(trx, email)))
      throw apiError('email_taken');
    await insertMember(trx, {
      id: memberId,
      account_id: accountId,
      email,
      name,
      role,
      password_hash,
      awaits_verification: awaitsVerification ? 1 : 0,
      created_at: clock.now(),
    });
    await deleteInvitation(trx, id);
    if (awaitsVerification) await putVerificationMail(context, trx, memberId);
    await record(trx, clock.now(), {
      actor: actorOf({ id: memberId }),
      accountId,
      action: 'member.joined',
      subject: memberId,
      detail: { email, role },
    });
  });
  mail?.outbox.wake();
  return requireMember(context, memberId);
}

export async function revokeInvitation(
  { store, clock }: MembersContext,
  { accountId, memberId }: { accountId: string; memberId: string },
  invitationId: string,
): Promise<void> {
  await auditedTransaction(store, async (trx) => {
    const invitation = await findInvitation(trx, invitationId);
    if (invitation?.account_id !== accountId) throw apiError('invitation_not_found');
    await deleteInvitation(trx, invitationId);
    await record(trx, clock.now(), {
      actor: actorOf({ id: memberId }),
      accountId,
      action: 'invitation.revoked',
      subject: invitationId,
      detail: { email: invitation.email },
    });
  });
}

async function invitationOf(context: MembersContext, token: string): Promise<InvitationRow> {
  const id = await subjectOf(context, 'invitation', token);
  const invitation = await findInvitation(context.store.read, id);
  if (!invitation) throw apiError('link_not_found');
  return invitation;
}
