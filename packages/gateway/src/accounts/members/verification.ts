import { VERIFICATION_LINK_HOURS } from '@parley/contract';
import { fault } from '#kernel';
import { type Letter, line } from '#mail';
import type { Writer } from '#store';
import { record } from '../audit/store.ts';
import { changeInTurn } from '../store.ts';
import type { MembersContext } from './context.ts';
import { linkTo, makeToken, spend, subjectOf } from './links.ts';
import { actorOf, requireMember } from './members.ts';
import { findMember, updateMember } from './store.ts';

const GOOD_FOR_MS = VERIFICATION_LINK_HOURS * 3_600_000;

/** With the change that makes it necessary; wake the outbox when that is committed. */
export async function putVerificationMail(
  { mail }: Pick<MembersContext, 'mail'>,
  trx: Writer,
  memberId: string,
): Promise<void> {
  const order = { kind: 'email', matter: { member: memberId }, wantedForMs: GOOD_FOR_MS };
  await mail?.outbox.put(trx, order);
}

/** Once more, for a mail that got lost. */
export async function askForVerification(context: MembersContext, memberId: string): Promise<void> {
  const { store, mail } = context;
  if (!mail) throw fault('mail_off');
  await store.transaction((trx) => putVerificationMail(context, trx, memberId));
  mail.outbox.wake();
}

export async function writeVerificationLetter(
  context: MembersContext,
  { member: memberId = '' }: { readonly member?: string },
): Promise<Letter | undefined> {
  const member = await findMember(context.store.read, memberId);
  const origin = context.mail?.origin();
  if (!member?.awaitsVerification || origin === undefined) return undefined;
  const order = { purpose: 'email', subject: member.id, goodForMs: GOOD_FOR_MS } as const;
  const { token } = await context.store.transaction((trx) => makeToken(context, trx, order));
  return {
    to: member.email,
    subject: line`Verify your address`,
    text: [
      line`Somebody, probably you, has joined the Parley portal with this address.`,
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
  await changeInTurn(store, async (trx) => {
    await spend(trx, token);
    await updateMember(trx, memberId, { awaits_verification: 0 });
    await record(trx, clock.now(), {
      actor: actorOf(member),
      accountId: member.accountId,
      action: 'email.verified',
      subject: memberId,
    });
  });
}
