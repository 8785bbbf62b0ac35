import { type DeviceStatus, PLAN_LIMITS, type Plan } from '@parley/contract';
import { type Period, periodAt } from './months.ts';
import { type PartnerQuota, quotaOf } from './periods.ts';

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

/** The subscription period that a number is in; undefined when it is in none. */
export function currentPeriod({ activatedAt }: SendingTerms, now: number): Period | undefined {
  return activatedAt === null ? undefined : periodAt(activatedAt, now);
}
