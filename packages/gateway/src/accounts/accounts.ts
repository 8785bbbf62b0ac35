import type { Account, AccountStatus, PartnerLimits } from '@parley/contract';
import { fault } from '#kernel';
import type { AccountRow } from '#store';
import { type Actor, record } from './audit/store.ts';
import type { AccountsContext } from './context.ts';
import { changePartnerQuota } from './devices/periods.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import {
  allAccounts,
  changeInTurn,
  currentTerms,
  findAccount,
  findAccountByEmail,
  insertAccount,
  replacePasswordHash,
  updateAccount,
} from './store.ts';

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

/** `owner`: whoever the account is made for has made it. */
export async function createAccount(
  context: AccountsContext,
  actor: Actor | 'owner',
  given: NewAccount,
): Promise<Account> {
  const { store, clock, ids, random } = context;
  const row: AccountRow = {
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
  };
  await changeInTurn(store, async (trx) => {
    if (await findAccountByEmail(trx, row.email)) throw fault('email_taken');
    await insertAccount(trx, row);
    await record(trx, row.created_at, {
      actor: actor === 'owner' ? `owner:${row.id}` : actor,
      accountId: row.id,
      action: 'account.created',
      subject: row.id,
    });
  });
  return publicAccount(row);
}

export async function listAccounts({ store }: AccountsContext): Promise<Account[]> {
  return (await allAccounts(store.read)).map(publicAccount);
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
  return changeInTurn(store, async (trx) => {
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
      const terms = await currentTerms(trx);
      if (!terms) throw fault('tos_missing');
      change.tos_accepted_version = terms.version;
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
      throw fault('invalid_field', { text: `partner_limits.${field} must be at most ${PARTNER_LIMIT_MAX}` });
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

/** The account that this password opens. Takes as long for an email that nobody has as for one with another password. */
export async function findOwner(
  { store }: AccountsContext,
  { email, password }: { email: string; password: string },
): Promise<Account | undefined> {
  const row = await findAccountByEmail(store.read, email);
  const isOwner = await verifyPassword(password, row?.password_hash ?? null);
  return row && isOwner ? publicAccount(row) : undefined;
}

export async function changePassword(
  { store, clock, random }: AccountsContext,
  accountId: string,
  { current, next }: { current: string; next: string },
): Promise<void> {
  const before = await findAccount(store.read, accountId);
  if (!(await verifyPassword(current, before.password_hash))) throw fault('password_wrong');
  const hash = await hashPassword(next, random);
  await changeInTurn(store, async (trx) => {
    // Whoever changed it meanwhile has made the current password another one.
    if (!(await replacePasswordHash(trx, accountId, { before: before.password_hash, after: hash })))
      throw fault('password_wrong');
    await record(trx, clock.now(), {
      actor: `owner:${accountId}`,
      accountId,
      action: 'password.changed',
      subject: accountId,
    });
  });
}
