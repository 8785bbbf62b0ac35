import {
  INVITATION_DAYS,
  type InvitationMade,
  type InvitationOpened,
  MEMBERS_MAX,
  type MemberRole,
} from '@parley/contract';
import { fault } from '#kernel';
import { type Letter, line } from '#mail';
import type { InvitationRow } from '#store';
import { record } from '../audit/store.ts';
import { hashPassword } from '../passwords.ts';
import { changeInTurn, findAccount, findAccountByEmail } from '../store.ts';
import type { MembersContext } from './context.ts';
import {
  deleteInvitation,
  deleteReplacedInvitations,
  findInvitation,
  insertInvitation,
  openInvitationsOf,
} from './invitation-store.ts';
import { linkTo, makeToken, spend, subjectOf } from './links.ts';
import { actorOf, membersOf, requireMember } from './members.ts';
import { findMemberByEmail, insertMember, type Member } from './store.ts';
import { putVerificationMail } from './verification.ts';

const DAY_MS = 24 * 3_600_000;

interface Inviting {
  readonly accountId: string;
  /** Who invites. */
  readonly memberId: string;
  /** Where the inviting browser has found us. */
  readonly origin: string;
}

/** Whether the address has an account elsewhere is found out by whoever accepts, and by nobody else. */
export async function inviteMember(
  context: MembersContext,
  { accountId, memberId, origin }: Inviting,
  { email: given, role, by }: { email: string; role: MemberRole; by: 'mail' | 'link' },
): Promise<InvitationMade> {
  const { store, clock, machineClock, ids, mail } = context;
  if (by === 'mail' && !mail) throw fault('mail_off');
  const email = given.toLowerCase();
  const members = await membersOf(context, accountId);
  if (members.some((each) => each.email === email)) throw fault('email_taken');
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
  const token = await changeInTurn(store, async (trx) => {
    await deleteReplacedInvitations(trx, { accountId, email, now });
    const others = await openInvitationsOf(trx, accountId, now);
    if (members.length + others.length >= MEMBERS_MAX) throw fault('too_many_members');
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

export function publicInvitation({ id, email, role, expires_at }: InvitationRow) {
  return { invitation_id: id, email, role, expires_at: new Date(expires_at).toISOString() };
}

export async function writeInvitationLetter(
  context: MembersContext,
  { invitation: id = '' }: { readonly invitation?: string },
): Promise<Letter | undefined> {
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
  await changeInTurn(store, async (trx) => {
    await spend(trx, token);
    if ((await findMemberByEmail(trx, email)) ?? (await findAccountByEmail(trx, email)))
      throw fault('email_taken');
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
  await changeInTurn(store, async (trx) => {
    const invitation = await findInvitation(trx, invitationId);
    if (invitation?.account_id !== accountId) throw fault('invitation_not_found');
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
  if (!invitation) throw fault('link_not_found');
  return invitation;
}
