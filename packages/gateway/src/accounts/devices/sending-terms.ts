import { type DeviceStatus, PLAN_LIMITS, type Plan } from '@parley/contract';
import { type PartnerQuota, type Period, periodAt, quotaOf } from './periods.ts';

/** On what terms a number may send. */
export interface SendingTerms {
  readonly plan: Plan;
  readonly status: DeviceStatus;
  readonly sendsPerMinute: number;
  readonly sendsPerPeriod: number;
  /** Null while the number is in no subscription period. */
  readonly activatedAt: number | null;
}

export interface PartnerLimits extends PartnerQuota {
  readonly partner_per_minute: number | null;
}

export function sendingTermsOf(
  device: { plan: Plan; status: DeviceStatus; activated_at: number | null },
  account: PartnerLimits,
): SendingTerms {
  const { plan, status, activated_at: activatedAt } = device;
  const sendsPerMinute = sendsPerMinuteOf(plan, account.partner_per_minute);
  return { plan, status, sendsPerMinute, sendsPerPeriod: quotaOf(plan, account), activatedAt };
}

/** A partner account without negotiated limits gets those of the largest public plan. */
export function sendsPerMinuteOf(plan: Plan, negotiated: number | null): number {
  return PLAN_LIMITS[plan].sendsPerMinute ?? negotiated ?? PLAN_LIMITS.max.sendsPerMinute ?? 0;
}

/** A number stays in its period for weeks: the calendar is asked again only when it is over. */
const lastFound = new WeakMap<SendingTerms, Period>();

/** The subscription period that a number is in; undefined when it is in none. */
export function currentPeriod(terms: SendingTerms, now: number): Period | undefined {
  if (terms.activatedAt === null) return undefined;
  const known = lastFound.get(terms);
  if (known && known.start <= now && now < known.end) return known;
  const period = periodAt(terms.activatedAt, now);
  lastFound.set(terms, period);
  return period;
}
