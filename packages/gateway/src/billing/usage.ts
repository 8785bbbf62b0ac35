import type { AccountUsage, Money, Plan, PlanPreview } from '@parley/contract';
import {
  carriedInto,
  type DevicePeriod,
  devicesOf,
  findAccount,
  findDevice,
  findPeriods,
  periodAt,
  quotaOf,
  sendsPerMinuteOf,
} from '#accounts';
import { DAY_MS } from '#kernel';
import type { BillingContext } from './context.ts';
import { amountFor } from './invoicing.ts';
import { buyerOf, type PriceTerms, priceOf, priceTermsOf, withTax } from './prices.ts';

type Reading = Pick<BillingContext, 'store' | 'clock'>;

/** A forecast from less than a day would be a guess. */
const FORECAST_AFTER_MS = DAY_MS;

/** What the running periods of an account have used and will cost. */
export async function readUsage({ store, clock }: Reading, accountId: string): Promise<AccountUsage> {
  const now = clock.now();
  const account = await findAccount(store.read, accountId);
  const terms = await priceTermsOf(store.read, accountId);
  const devices = await devicesOf(store.read, accountId);
  const numbers = devices.map((device) => ({ device, account }));
  const periods = await findPeriods(store.read, numbers, now);
  return {
    buyer: buyerOf(account, terms.account),
    numbers: devices.flatMap(({ slot_id, phone }) => {
      const period = periods.get(slot_id);
      if (!period) return [];
      const { plan, quota, used } = period;
      return [
        {
          ...{ phone, plan, quota, used },
          period_start: new Date(period.started_at).toISOString(),
          period_end: new Date(period.ends_at).toISOString(),
          ...forecast(period, now),
          price: wholePrice(terms, plan),
        },
      ];
    }),
  };
}

/** If the rest of the period goes on as it began. What was carried into it was sent before, and says nothing of its pace. */
function forecast(
  { started_at, ends_at, quota, used, carried }: DevicePeriod,
  now: number,
): { forecast_used: number | null; quota_ends_at: string | null } {
  const elapsed = now - started_at;
  if (elapsed < FORECAST_AFTER_MS) return { forecast_used: null, quota_ends_at: null };
  const perMs = (used - carried) / elapsed;
  const expected = Math.round(used + perMs * (ends_at - now));
  const endsAt = perMs > 0 ? now + Math.max(0, quota - used) / perMs : Number.POSITIVE_INFINITY;
  return {
    forecast_used: Math.min(expected, quota),
    quota_ends_at: endsAt < ends_at ? new Date(endsAt).toISOString() : null,
  };
}

/** What a change of plan would mean now: the new period begins at once, and what was used counts on in it. */
export async function previewPlan(
  { store, clock }: Reading,
  slotId: string,
  next: Plan,
): Promise<PlanPreview> {
  const now = clock.now();
  const device = await findDevice(store.read, slotId);
  const account = await findAccount(store.read, device.account_id);
  const terms = await priceTermsOf(store.read, account.id);
  const period = (await findPeriods(store.read, [{ device, account }], now)).get(slotId);
  const termsOf = (plan: Plan) => ({
    plan,
    quota: quotaOf(plan, account),
    per_minute: sendsPerMinuteOf(plan, account.partner_per_minute),
    price: wholePrice(terms, plan),
  });
  return {
    current: termsOf(device.plan),
    next: termsOf(next),
    used: period?.used ?? (await carriedInto(store.read, slotId, now)),
    period_end: new Date(
      next === device.plan && period ? period.ends_at : periodAt(now, now).end,
    ).toISOString(),
    closing: period ? closingPrice(terms, period, now) : withTax(terms, undefined),
  };
}

function wholePrice(terms: PriceTerms, plan: Plan): Money {
  return withTax(terms, priceOf(terms, plan));
}

function closingPrice(terms: PriceTerms, { plan, started_at, ends_at }: DevicePeriod, now: number): Money {
  const price = priceOf(terms, plan);
  const cut = { started_at, ends_at: now, planned_end: ends_at };
  return withTax(terms, price && { ...price, amount: amountFor(price.amount, cut) });
}
