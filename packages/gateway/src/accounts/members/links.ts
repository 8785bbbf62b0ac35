import { hash } from 'node:crypto';
import {
  type LinkOpened,
  OPERATOR_LINK_HOURS,
  type PasswordLink,
  RECOVERY_LINK_HOURS,
  VERIFICATION_LINK_HOURS,
} from '@parley/contract';
import { apiError, HOUR_MS } from '#kernel';
import { line, type Mail } from '#platform/mail';
import type { OneTimeLinkRow, Writer } from '#platform/store';
import { auditedTransaction } from '../account-queries.ts';
import { record } from '../audit/audit-queries.ts';
import type { MembersContext } from '../context.ts';
import { hashPassword } from '../passwords.ts';
import {
  deleteExpiredLinks,
  deleteLink,
  deleteLinksOf,
  findLink,
  findMember,
  insertLink,
  type Member,
  replacePasswordHash,
  updateMember,
} from './member-queries.ts';
import { actorOf, endSessions, memberByEmail, membersOf, requireMember } from './members.ts';

type Purpose = OneTimeLinkRow['purpose'];

/** Where each kind of link leads to in the portal. */
const PAGES: Record<Purpose, string> = { password: 'recover', email: 'verify', invitation: 'join' };
const TOKEN_BYTES = 32;

/** Makes the token of a link that is good once; only its hash is kept. */
export async function makeToken(
  { random, machineClock }: Pick<MembersContext, 'random' | 'machineClock'>,
  trx: Writer,
  { purpose, subject, goodForMs }: { purpose: Purpose; subject: string; goodForMs: number },
): Promise<{ token: string; expiresAt: number }> {
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
  const now = machineClock.now();
  await deleteExpiredLinks(trx, now);
  const expiresAt = now + goodForMs;
  await insertLink(trx, {
    token_hash: digestOf(token),
    purpose,
    subject,
    expires_at: expiresAt,
    created_at: now,
  });
  return { token, expiresAt };
}

/** The token stands behind the `#`, which browsers send to no server. */
export function linkTo(origin: string, purpose: Purpose, token: string): string {
  return `${origin}/portal/${PAGES[purpose]}#${token}`;
}

/** What the link was made for; a fault when it is good for nothing, whatever the reason. */
export async function subjectOf(
  { store, machineClock }: Pick<MembersContext, 'store' | 'machineClock'>,
  purpose: Purpose,
  token: string,
): Promise<string> {
  const link = await findLink(store.read, digestOf(token));
  if (link?.purpose !== purpose || link.expires_at <= machineClock.now()) throw apiError('link_not_found');
  return link.subject;
}

/** Invalidates the link. Throws when a concurrent request has used it. */
export async function consumeLink(trx: Writer, token: string): Promise<void> {
  if (!(await deleteLink(trx, digestOf(token)))) throw apiError('link_not_found');
}

/** A fast hash is enough: the token is random and too long to be guessed. */
function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The address is looked up only when the mail is sent, so that a request takes the same time for every address. */
export async function askForRecovery({ store, mail }: MembersContext, email: string): Promise<void> {
  if (!mail) throw apiError('mail_off');
  const order = { kind: 'password', matter: { email }, wantedForMs: RECOVERY_LINK_HOURS * HOUR_MS };
  await store.transaction((trx) => mail.outbox.put(trx, order));
  mail.outbox.wake();
}

export async function recoveryMail(
  context: MembersContext,
  { email = '' }: { readonly email?: string },
): Promise<Mail | undefined> {
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
      line`A new password for the Parley portal was requested for this address, probably by you.`,
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
  if (!member) throw apiError('member_not_found');
  const order = {
    purpose: 'password',
    subject: member.id,
    goodForMs: OPERATOR_LINK_HOURS * HOUR_MS,
  } as const;
  const { token, expiresAt } = await auditedTransaction(store, async (trx) => {
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

/** The link proves that the member owns the address, or that the operator vouches for the member. */
export async function recoverPassword(
  context: MembersContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { store, clock, random } = context;
  // Before the work of hashing, which a stranger must not be able to ask for.
  await memberOfLink(context, token);
  const hash = await hashPassword(password, random);
  await auditedTransaction(store, async (trx) => {
    const memberId = await subjectOf(context, 'password', token);
    await consumeLink(trx, token);
    const member = await findMember(trx, memberId);
    if (!member || !(await replacePasswordHash(trx, member, hash))) throw apiError('link_not_found');
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
  if (!member) throw apiError('link_not_found');
  return member;
}

const VERIFICATION_MS = VERIFICATION_LINK_HOURS * HOUR_MS;

/** With the change that makes it necessary; wake the outbox when that is committed. */
export async function putVerificationMail(
  { mail }: Pick<MembersContext, 'mail'>,
  trx: Writer,
  memberId: string,
): Promise<void> {
  const order = { kind: 'email', matter: { member: memberId }, wantedForMs: VERIFICATION_MS };
  await mail?.outbox.put(trx, order);
}

/** Once more, for a mail that got lost. */
export async function askForVerification(context: MembersContext, memberId: string): Promise<void> {
  const { store, mail } = context;
  if (!mail) throw apiError('mail_off');
  await store.transaction((trx) => putVerificationMail(context, trx, memberId));
  mail.outbox.wake();
}

export async function verificationMail(
  context: MembersContext,
  { member: memberId = '' }: { readonly member?: string },
): Promise<Mail | undefined> {
  const member = await findMember(context.store.read, memberId);
  const origin = context.mail?.origin();
  if (!member?.awaitsVerification || origin === undefined) return undefined;
  const order = { purpose: 'email', subject: member.id, goodForMs: VERIFICATION_MS } as const;
  const { token } = await context.store.transaction((trx) => makeToken(context, trx, order));
  return {
    to: member.email,
    subject: line`Verify your address`,
    text: [
      line`This address has joined the Parley portal, probably through you.`,
      line`Show that it is yours by opening this link, within a day:`,
      line`${linkTo(origin, 'email', token)}`,
      line`If it was not you, do nothing: the account stays closed.`,
    ],
  };
}

export async function verifyEmail(context: MembersContext, token: string): Promise<void> {
  const { store, clock } = context;
  const memberId = await subjectOf(context, 'email', token);
  const member = await requireMember(context, memberId);
  await auditedTransaction(store, async (trx) => {
    await consumeLink(trx, token);
    await updateMember(trx, memberId, { awaits_verification: 0 });
    await record(trx, clock.now(), {
      actor: actorOf(member),
      accountId: member.accountId,
      action: 'email.verified',
      subject: memberId,
    });
  });
}
