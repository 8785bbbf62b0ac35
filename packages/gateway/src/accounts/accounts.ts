import type { Account, AccountStatus, PartnerLimits } from '@parley/contract';
import { fault } from '#kernel';
import type { AccountRow, Writer } from '#store';
import { type Actor, record } from './audit/store.ts';
import type { AccountsContext } from './context.ts';
import { changePartnerQuota } from './devices/periods.ts';
import { hashPassword } from './passwords.ts';
import { changeInTurn } from './store.ts';
import { currentTerms } from './terms.ts';

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password?: string | undefined;
}

export interface AccountChanges {
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
    const taken = await trx
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', row.email)
      .executeTakeFirst();
    if (taken) throw fault('email_taken');
    await trx.insertInto('accounts').values(row).execute();
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
  const rows = await store.read.selectFrom('accounts').selectAll().orderBy('id').execute();
  return rows.map(publicAccount);
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
      await trx.updateTable('accounts').set(change).where('id', '=', accountId).execute();
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

export async function findAccount(db: Pick<Writer, 'selectFrom'>, accountId: string): Promise<AccountRow> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
  if (!row) throw fault('account_not_found');
  return row;
}

export function publicAccount(row: AccountRow): Account {
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
