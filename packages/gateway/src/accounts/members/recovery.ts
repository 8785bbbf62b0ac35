import {
  type LinkOpened,
  OPERATOR_LINK_HOURS,
  type PasswordLink,
  RECOVERY_LINK_HOURS,
} from '@parley/contract';
import { fault } from '#kernel';
import { type Letter, line } from '#mail';
import { record } from '../audit/store.ts';
import { hashPassword } from '../passwords.ts';
import { changeInTurn } from '../store.ts';
import type { MembersContext } from './context.ts';
import { linkTo, makeToken, spend, subjectOf } from './links.ts';
import { actorOf, endSessions, memberByEmail, membersOf } from './members.ts';
import { deleteLinksOf, findMember, type Member, replacePasswordHash, updateMember } from './store.ts';

const HOUR_MS = 3_600_000;

/** Whether anybody has the address is found out while the mail leaves: asking costs the same for every address. */
export async function askForRecovery({ store, mail }: MembersContext, email: string): Promise<void> {
  if (!mail) throw fault('mail_off');
  const order = { kind: 'password', matter: { email }, wantedForMs: RECOVERY_LINK_HOURS * HOUR_MS };
  await store.transaction((trx) => mail.outbox.put(trx, order));
  mail.outbox.wake();
}

export async function writeRecoveryLetter(
  context: MembersContext,
  { email = '' }: { readonly email?: string },
): Promise<Letter | undefined> {
  const member = await memberByEmail(context, email);
  const origin = context.mail?.origin();
  if (!member || origin === undefined) return undefined;
  const order = {
    purpose: 'password',
    subject: member.id,
    goodForMs: RECOVERY_LINK_HOURS * HOUR_MS,
  } as const;
  const { token } = await context.store.transaction((trx) => makeToken(context, trx, order));
  return {
    to: member.email,
    subject: line`Choose a new password`,
    text: [
      line`Somebody, probably you, asked for a new password for the Parley portal.`,
      line`Choose it here, within the next hour:`,
      line`${linkTo(origin, 'password', token)}`,
      line`The link works once. If you did not ask for it, do nothing: your password stays as it is.`,
    ],
  };
}

/** Always works, with mail or without. */
export async function makePasswordLink(
  context: MembersContext,
  accountId: string,
  { email, origin }: { email: string | undefined; origin: string },
): Promise<PasswordLink> {
  const { store, clock } = context;
  const members = await membersOf(context, accountId);
  const member = members.find((each) =>
    email === undefined ? each.isFirst : each.email === email.toLowerCase(),
  );
  if (!member) throw fault('member_not_found');
  const order = {
    purpose: 'password',
    subject: member.id,
    goodForMs: OPERATOR_LINK_HOURS * HOUR_MS,
  } as const;
  const { token, expiresAt } = await changeInTurn(store, async (trx) => {
    await record(trx, clock.now(), {
      actor: 'operator',
      accountId,
      action: 'password.link_made',
      subject: member.id,
    });
    return makeToken(context, trx, order);
  });
  return {
    email: member.email,
    url: linkTo(origin, 'password', token),
    expires_at: new Date(expiresAt).toISOString(),
  };
}

export async function openRecovery(context: MembersContext, token: string): Promise<LinkOpened> {
  const { email, name } = await memberOfLink(context, token);
  return { email, name };
}

/** Whoever has the link has shown that the address is theirs, or is vouched for by the operator. */
export async function recoverPassword(
  context: MembersContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { store, clock, random } = context;
  // Before the work of hashing, which a stranger must not be able to ask for.
  await memberOfLink(context, token);
  const hash = await hashPassword(password, random);
  await changeInTurn(store, async (trx) => {
    const memberId = await subjectOf(context, 'password', token);
    await spend(trx, token);
    const member = await findMember(trx, memberId);
    if (!member || !(await replacePasswordHash(trx, member, hash))) throw fault('link_not_found');
    await deleteLinksOf(trx, memberId);
    if (member.awaitsVerification) await updateMember(trx, memberId, { awaits_verification: 0 });
    await endSessions(trx, member);
    await record(trx, clock.now(), {
      actor: actorOf(member),
      accountId: member.accountId,
      action: 'password.recovered',
      subject: memberId,
    });
  });
}

async function memberOfLink(context: MembersContext, token: string): Promise<Member> {
  const member = await findMember(context.store.read, await subjectOf(context, 'password', token));
  if (!member) throw fault('link_not_found');
  return member;
}
