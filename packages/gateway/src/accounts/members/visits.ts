import { DAY_MS } from '#kernel';
import { line, type Mail } from '#platform/mail';
import { auditedTransaction, findAccount, findAccountIfAny } from '../account-queries.ts';
import { record } from '../audit/audit-queries.ts';
import type { MembersContext } from '../context.ts';
import { findMember, findMembersOf } from './member-queries.ts';

/** What an owner is to know of it is worth a day. */
const WANTED_FOR_MS = DAY_MS;

interface Visit {
  readonly accountId: string;
  /** Name of the operator who looks: all operators share one token. */
  readonly name: string;
  readonly reason: string;
  readonly until: number;
}

/** Records a visit of the operator to an account before it begins, and notifies the owners by mail where mails are sent. */
export async function noteVisit(context: MembersContext, visit: Visit): Promise<void> {
  const { store, clock, mail } = context;
  const { accountId, name, reason } = visit;
  await auditedTransaction(store, async (trx) => {
    await findAccount(trx, accountId);
    await record(trx, clock.now(), {
      actor: 'operator',
      accountId,
      action: 'account.visited',
      subject: accountId,
      detail: { name, ...(reason !== '' && { reason }), until: new Date(visit.until).toISOString() },
    });
    if (!mail) return;
    for (const { id: member, role } of await findMembersOf(trx, accountId)) {
      if (role !== 'owner') continue;
      const matter = { member, name, reason };
      await mail.outbox.put(trx, { kind: 'visit', matter, wantedForMs: WANTED_FOR_MS });
    }
  });
  mail?.outbox.wake();
}

/** Undefined: they are no owner any more. */
export async function visitMail(
  { store, mail }: MembersContext,
  { member: memberId = '', name = '', reason = '' }: Readonly<Record<string, string>>,
): Promise<Mail | undefined> {
  const member = await findMember(store.read, memberId);
  const account = member && (await findAccountIfAny(store.read, member.accountId));
  const origin = mail?.origin();
  if (member?.role !== 'owner' || !account || origin === undefined) return undefined;
  return {
    to: member.email,
    subject: line`The operator has looked at the account ${account.name}`,
    text: [
      line`${name}, who operates this gateway, has opened the portal as your account sees it. Nothing could be changed, and conversations were not shown.`,
      ...(reason === '' ? [] : [line`The reason that was given: ${reason}`]),
      [line`All such visits are listed here:`, line`${origin}/portal/account`],
    ],
  };
}
