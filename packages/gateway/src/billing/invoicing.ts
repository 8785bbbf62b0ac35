import { INVOICE_WITHIN_MINUTES, type Invoice } from '@parley/contract';
import {
  type Actor,
  allDevices,
  auditedTransaction,
  findAccount,
  findDeviceEvenRemoved,
  findStoredPeriods,
  periodAt,
  record,
  storeSilentPeriods,
} from '#accounts';
import { apiError, type Clock, DAY_MS, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { DeviceRow, InvoiceRow, Writer } from '#platform/store';
import { insertInvoice, periodsToInvoice, slotsToInvoice, takeNumber } from './billing-queries.ts';
import type { BillingContext } from './context.ts';
import { putNotice } from './notices.ts';
import { buyerOf, type PriceTerms, priceOf, priceTermsOf, shareOf, taxRateOf, withTax } from './prices.ts';
import { lineOf, publicInvoice } from './public-invoice.ts';

const EVERY_MS = INVOICE_WITHIN_MINUTES * 60_000;
/** More values than this in one statement make it slow to prepare. */
const LOOKED_UP_AT_ONCE = 200;

/**
 * Issues invoices when periods have ended, also those that ended while nothing ran. Every process that runs it may try: what has an invoice is
 * seen inside the transaction that would write another, and the database has one per number and period.
 */
export function startInvoicing(
  context: BillingContext,
  { machineClock, log }: { machineClock: Clock; log: JobLog },
): PeriodicJob {
  return startPeriodicJob({
    clock: machineClock,
    everyMs: EVERY_MS,
    work: async (stopping) => void (await runInvoices(context, 'system', { stopping })),
    log,
    name: 'invoices',
  });
}

interface Run {
  /** Now, by default. */
  readonly until?: number | undefined;
  /** Only of this account. */
  readonly accountId?: string;
  readonly stopping?: AbortSignal;
}

/** Closes every period that ended by `until`: one invoice per number and period, however often it is run. */
export async function runInvoices(
  context: BillingContext,
  actor: Actor,
  { until = context.clock.now(), accountId, stopping }: Run = {},
): Promise<Invoice[]> {
  // Written so that a date that does not exist, such as 31 February, is refused as well.
  if (!(until <= context.clock.now()))
    throw apiError('invalid_field', { text: 'until must be a time that has passed' });
  const issued: Invoice[] = [];
  // One transaction per number keeps each of them short, however many numbers there are.
  for (const slotId of await numbersToInvoice(context, until, accountId)) {
    if (stopping?.aborted) break;
    issued.push(...(await invoiceDevice(context, actor, slotId, until)));
  }
  if (issued.length > 0) context.notices?.ring();
  return issued;
}

/** Those with a period that has ended and has no invoice; one in which nothing was sent is not even stored. */
async function numbersToInvoice(
  { store }: BillingContext,
  until: number,
  accountId: string | undefined,
): Promise<string[]> {
  const stored = new Set(await slotsToInvoice(store.read, until));
  const devices = (await allDevices(store.read)).filter(
    (device) => accountId === undefined || device.account_id === accountId,
  );
  const ended = devices.flatMap((device) => lastEnded(device, until) ?? []);
  const invoiced = new Set<string>();
  for (let first = 0; first < ended.length; first += LOOKED_UP_AT_ONCE) {
    const found = await findStoredPeriods(store.read, ended.slice(first, first + LOOKED_UP_AT_ONCE));
    for (const period of found) if (period.invoiced) invoiced.add(period.slot_id);
  }
  const silent = new Set(ended.map(({ slot_id }) => slot_id).filter((slotId) => !invoiced.has(slotId)));
  return devices.map(({ slot_id }) => slot_id).filter((slotId) => stored.has(slotId) || silent.has(slotId));
}

function lastEnded({ slot_id, activated_at: anchor }: DeviceRow, until: number) {
  if (anchor === null || until < anchor) return undefined;
  const running = periodAt(anchor, until);
  if (running.start === anchor) return undefined;
  return { slot_id, started_at: periodAt(anchor, running.start - 1).start };
}

/** Of one number, also when it was removed. */
export async function invoiceDevice(
  context: BillingContext,
  actor: Actor,
  slotId: string,
  until: number,
): Promise<Invoice[]> {
  return auditedTransaction(context.store, async (trx) => {
    const device = await findDeviceEvenRemoved(trx, slotId);
    const account = await findAccount(trx, device.account_id);
    await storeSilentPeriods(trx, device, account, until);
    const terms = await priceTermsOf(trx, account.id);
    const issued: Invoice[] = [];
    for (const period of await periodsToInvoice(trx, slotId, until)) {
      const invoice = await buildInvoice(context, trx, { terms, device, account, period });
      await insertInvoice(trx, invoice);
      await record(trx, invoice.issued_at, {
        actor,
        accountId: account.id,
        action: 'invoice.issued',
        subject: invoice.id,
        detail: { number: invoice.number, phone: device.phone },
      });
      if (invoice.number !== null) await putNotice(context, trx, invoice.id, 'invoice.issued');
      issued.push(publicInvoice(invoice));
    }
    return issued;
  });
}

interface InvoiceInput {
  readonly terms: PriceTerms;
  readonly device: DeviceRow;
  readonly account: Awaited<ReturnType<typeof findAccount>>;
  readonly period: Awaited<ReturnType<typeof periodsToInvoice>>[number];
}

async function buildInvoice(
  { clock, ids }: Pick<BillingContext, 'clock' | 'ids'>,
  trx: Writer,
  { terms, device, account, period }: InvoiceInput,
): Promise<InvoiceRow> {
  const now = clock.now();
  const id = ids.invoice();
  const whole = priceOf(terms, period.plan);
  const amount = whole && amountFor(whole.amount, period);
  const { currency, net, tax, total } = withTax(terms, whole && { ...whole, amount: amount ?? 0 });
  const isCharged = (total ?? 0) > 0;
  return {
    id,
    account_id: account.id,
    slot_id: device.slot_id,
    phone: device.phone,
    plan: period.plan,
    period_start: period.started_at,
    period_end: period.ends_at,
    quota: period.quota,
    used: period.used - period.carried,
    issued_at: now,
    number: isCharged ? await takeNumber(trx, id) : null,
    ...{ currency, net, tax, total },
    tax_millipercent: whole ? taxRateOf(terms) : null,
    lines: JSON.stringify(whole ? [{ description: lineOf(device.phone, period), amount: net }] : []),
    seller: terms.settings.seller,
    buyer: JSON.stringify(buyerOf(account, terms.account)),
    note: isCharged ? terms.settings.note : '',
    due_at: isCharged ? now + terms.settings.due_days * DAY_MS : null,
    paid_at: null,
    payment_reference: null,
  };
}

/** A period that was cut short costs its share of a whole one. */
export function amountFor(
  price: number,
  {
    started_at,
    ends_at,
    planned_end,
  }: Pick<InvoiceInput['period'], 'started_at' | 'ends_at' | 'planned_end'>,
): number {
  if (planned_end === null || planned_end <= ends_at) return price;
  return shareOf(price, ends_at - started_at, planned_end - started_at);
}
