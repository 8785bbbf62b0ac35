import type { Account, AccountStatus, PartnerLimits } from '@parley/contract';
import { apiError, type Page, type PageChoice, pageOf } from '#kernel';
import type { AccountRow, MemberRow, Writer } from '#platform/store';
import {
  accountRows,
  auditedTransaction,
  findAccount,
  findAccountByEmail,
  insertAccount,
  updateAccount,
} from './account-queries.ts';
import { record } from './audit/audit-queries.ts';
import type { Actor } from './audit/change.ts';
import type { AccountsContext, MembersContext } from './context.ts';
import { changePartnerQuota } from './devices/periods.ts';
import { putVerificationMail } from './members/links.ts';
import { findMemberByEmail, insertMember, type Member } from './members/member-queries.ts';
import { actorOf, firstMember, requireMember } from './members/members.ts';
import { hashPassword } from './passwords.ts';
import { termsVersions } from './terms/terms-queries.ts';

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password?: string | undefined;
}

interface AccountChanges {
  readonly status?: AccountStatus | undefined;
  readonly accept_tos?: true | undefined;
  readonly partner_limits?: PartnerLimits | undefined;
}

export async function createAccount(
  context: AccountsContext,
  actor: Actor,
  given: NewAccount,
): Promise<Account> {
  const { account } = await makeAccount(context, given, { actor });
  return publicAccount(account);
}

/** Opens an account for its future owner, who must verify the address where mails are sent. */
export async function openOwnAccount(context: MembersContext, given: NewAccount): Promise<Member> {
  const { mail } = context;
  const { owner } = await makeAccount(context, given, {
    awaitsVerification: mail !== undefined,
    also: (trx, { id }) => putVerificationMail(context, trx, id),
  });
  mail?.outbox.wake();
  return requireMember(context, owner.id);
}

interface Making {
  readonly actor?: Actor;
  readonly awaitsVerification?: boolean;
  readonly also?: (trx: Writer, owner: MemberRow) => Promise<void>;
}

/** Creates an account with its first owner, who is the actor unless another one is given. */
async function makeAccount(
  context: AccountsContext,
  given: NewAccount,
  { actor, awaitsVerification = false, also }: Making,
): Promise<{ account: AccountRow; owner: MemberRow }> {
  const { store, clock, ids, random } = context;
  const account: AccountRow = {
    id: ids.account(),
    name: given.name,
    email: given.email.toLowerCase(),
    password_hash: given.password === undefined ? null : await hashPassword(given.password, random),
    status: 'active',
    tos_accepted_version: null,
    tos_accepted_at: null,
    partner_per_minute: null,
    partner_per_period: null,
    created_at: clock.now(),
    erased_at: null,
  };
  const owner = firstMember(context, account, { awaitsVerification });
  await auditedTransaction(store, async (trx) => {
    const taken =
      (await findAccountByEmail(trx, account.email)) ?? (await findMemberByEmail(trx, account.email));
    if (taken) throw apiError('email_taken');
    await insertAccount(trx, account);
    await insertMember(trx, owner);
    await record(trx, account.created_at, {
      actor: actor ?? actorOf(owner),
      accountId: account.id,
      action: 'account.created',
      subject: account.id,
    });
    await also?.(trx, owner);
  });
  return { account, owner };
}

export async function listAccounts(
  { store }: AccountsContext,
  page: PageChoice = {},
): Promise<Page<Account>> {
  const accounts = (await accountRows(store.read, page)).map(publicAccount);
  return pageOf(accounts, page, ({ account_id }) => account_id);
}

export async function getAccount({ store }: AccountsContext, accountId: string): Promise<Account> {
  return publicAccount(await findAccount(store.read, accountId));
}

export async function changeAccount(
  { store, clock }: AccountsContext,
  actor: Actor,
  accountId: string,
  changes: AccountChanges,
): Promise<Account> {
  return auditedTransaction(store, async (trx) => {
    const row = await findAccount(trx, accountId);
    const now = clock.now();
    const change: Partial<AccountRow> = {};
    if (changes.status) change.status = changes.status;
    if (changes.partner_limits) {
      refuseHugeLimits(changes.partner_limits);
      change.partner_per_minute = changes.partner_limits.per_minute;
      change.partner_per_period = changes.partner_limits.per_period;
      await changePartnerQuota(trx, row, changes.partner_limits.per_period, now);
    }
    if (changes.accept_tos) {
      const [newest] = await termsVersions(trx);
      if (!newest) throw apiError('tos_missing');
      change.tos_accepted_version = newest.version;
      change.tos_accepted_at = now;
    }
    if (Object.keys(change).length > 0) {
      await updateAccount(trx, accountId, change);
      await record(trx, now, {
        actor,
        accountId,
        action: 'account.changed',
        subject: accountId,
        detail: changes,
      });
    }
    return publicAccount({ ...row, ...change });
  });
}

/** Far above anything that one number can send, and well inside what every database can count. */
const PARTNER_LIMIT_MAX = 1_000_000_000;

function refuseHugeLimits(limits: PartnerLimits): void {
  for (const [field, limit] of Object.entries(limits)) {
    if (limit > PARTNER_LIMIT_MAX)
      throw apiError('invalid_field', {
        text: `partner_limits.${field} must be at most ${PARTNER_LIMIT_MAX}`,
      });
  }
}

function publicAccount(row: AccountRow): Account {
  const { partner_per_minute: perMinute, partner_per_period: perPeriod } = row;
  return {
    account_id: row.id,
    name: row.name,
    email: row.email,
    status: row.status,
    tos_accepted_version: row.tos_accepted_version,
    partner_limits: perMinute && perPeriod ? { per_minute: perMinute, per_period: perPeriod } : null,
  };
}
