import type { AccountBilling, Billing, BodyOf, operations, Party } from '@parley/contract';
import { type Actor, auditedTransaction, findAccount, type Queries, record } from '#accounts';
import { apiError } from '#kernel';
import { judgeUrl } from '#platform/egress';
import type { BillingSettingsRow } from '#platform/store';
import { newSecret } from '#webhooks';
import {
  deleteAllNotices,
  findAccountBilling,
  findSettings,
  hasNumberedInvoices,
  noticeBacklog,
  writeAccountBilling,
  writeSettings,
} from './billing-queries.ts';
import type { BillingContext } from './context.ts';
import { runInvoices } from './invoicing.ts';
import { BILLING_SECRET } from './notices.ts';
import {
  NO_BUYER,
  publicAccountBilling,
  readPrices,
  requireCurrency,
  toMillipercent,
  toPercent,
} from './prices.ts';

type SettingsChange = BodyOf<typeof operations.updateBilling>;
type AccountChange = BodyOf<typeof operations.updateAccountBilling>;
/** What is left out stays as it is. */
type PartyChange = { readonly [Field in keyof Party]?: string | undefined };

export async function getBilling({ store }: Pick<BillingContext, 'store'>): Promise<Billing> {
  return publicBilling(store.read, await findSettings(store.read));
}

/** Holds for invoices from now on: periods that are over already are invoiced on the terms of before. */
export async function changeBilling(
  context: BillingContext,
  actor: Actor,
  { tax_percent, prices, seller, next_number, ...plain }: SettingsChange,
): Promise<Billing> {
  requireCurrency(plain.currency);
  const rate = tax_percent === undefined ? undefined : toMillipercent(tax_percent);
  await runInvoices(context, 'system');
  return auditedTransaction(context.store, async (trx) => {
    const before = await findSettings(trx);
    const change: Partial<BillingSettingsRow> = present({ ...plain, tax_millipercent: rate });
    if (prices) change.prices = JSON.stringify({ ...readPrices(before.prices), ...present(prices) });
    if (seller) change.seller = JSON.stringify({ ...JSON.parse(before.seller), ...present(seller) });
    if (next_number !== undefined && next_number !== before.next_number) {
      if (await hasNumberedInvoices(trx))
        throw apiError('invalid_field', {
          text: 'next_number cannot be changed once an invoice has a number: they follow each other without gaps',
        });
      change.next_number = next_number;
    }
    await writeSettings(trx, change);
    const detail = { ...change, ...(change.prices && { prices: JSON.parse(change.prices) }) };
    await recordChange(context, trx, actor, { subject: 'gateway', accountId: null, detail });
    return publicBilling(trx, { ...before, ...change });
  });
}

/** The secret leaves the gateway here and never again. */
export async function setWebhook(
  context: BillingContext,
  actor: Actor,
  url: string,
): Promise<{ url: string; secret: string }> {
  const { store, random, sealedBox, urlRules } = context;
  const judgement = judgeUrl(url, urlRules);
  if (judgement !== 'good') {
    const expected = judgement === 'not_https' ? 'an https url' : 'a url that leads to a public address';
    throw apiError('invalid_field', { text: `url must be ${expected}` });
  }
  const secret = newSecret(random);
  await auditedTransaction(store, async (trx) => {
    await writeSettings(trx, {
      webhook_url: url,
      webhook_secret: sealedBox.seal(Buffer.from(secret), BILLING_SECRET),
    });
    await recordChange(context, trx, actor, { subject: 'webhook', accountId: null, detail: { url } });
  });
  return { url, secret };
}

/** Deletes queued notices as well. */
export async function removeWebhook(context: BillingContext, actor: Actor): Promise<void> {
  await auditedTransaction(context.store, async (trx) => {
    await writeSettings(trx, { webhook_url: null, webhook_secret: null });
    await deleteAllNotices(trx);
    await recordChange(context, trx, actor, { subject: 'webhook', accountId: null, detail: { url: null } });
  });
}

export async function getAccountBilling(
  { store }: Pick<BillingContext, 'store'>,
  accountId: string,
): Promise<AccountBilling> {
  const account = await findAccount(store.read, accountId);
  return publicAccountBilling(account, await findAccountBilling(store.read, accountId));
}

export async function changeAccountBilling(
  context: BillingContext,
  actor: Actor,
  accountId: string,
  { currency, tax_percent, prices, buyer }: AccountChange,
): Promise<AccountBilling> {
  requireCurrency(currency);
  const rate = typeof tax_percent === 'number' ? toMillipercent(tax_percent) : tax_percent;
  if (prices || rate !== undefined || currency !== undefined)
    await runInvoices(context, 'system', { accountId });
  return auditedTransaction(context.store, async (trx) => {
    const account = await findAccount(trx, accountId);
    const before = await findAccountBilling(trx, accountId);
    const row = {
      account_id: accountId,
      currency: currency === undefined ? (before?.currency ?? null) : currency,
      tax_millipercent: rate === undefined ? (before?.tax_millipercent ?? null) : rate,
      prices: JSON.stringify({ ...readPrices(before?.prices ?? '{}'), ...present(prices ?? {}) }),
      buyer: JSON.stringify({ ...JSON.parse(before?.buyer ?? '{}'), ...present(buyer ?? {}) }),
    };
    await writeAccountBilling(trx, row);
    const detail = present({ currency, tax_percent, prices, buyer });
    await recordChange(context, trx, actor, { subject: accountId, accountId, detail });
    return publicAccountBilling(account, row);
  });
}

/** What the owner may change of it: who they are. */
export async function changeBuyer(
  context: BillingContext,
  actor: Actor,
  accountId: string,
  buyer: PartyChange,
): Promise<Party> {
  return (await changeAccountBilling(context, actor, accountId, { buyer: present(buyer) })).buyer;
}

async function recordChange(
  { clock }: Pick<BillingContext, 'clock'>,
  trx: Parameters<typeof record>[0],
  actor: Actor,
  change: { subject: string; accountId: string | null; detail: object },
): Promise<void> {
  await record(trx, clock.now(), { actor, action: 'billing.changed', ...change });
}

async function publicBilling(db: Queries, row: BillingSettingsRow): Promise<Billing> {
  const { waiting, lastError } = await noticeBacklog(db);
  return {
    currency: row.currency,
    tax_percent: toPercent(row.tax_millipercent),
    prices: readPrices(row.prices),
    seller: { ...NO_BUYER, ...JSON.parse(row.seller) },
    number_prefix: row.number_prefix,
    next_number: row.next_number,
    due_days: row.due_days,
    note: row.note,
    webhook: row.webhook_url === null ? null : { url: row.webhook_url, waiting, last_error: lastError },
  };
}

/** Without what was left out. */
function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> };
}
