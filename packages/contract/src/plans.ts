/** What each plan includes and allows. Sending kinds and endpoints name the feature they need; the plan says yes or no. */

export const PLANS = ['free', 'pro', 'max', 'partner'] as const;
export type Plan = (typeof PLANS)[number];

/** Those that an owner may choose; the others are negotiated with the operator. */
export const SELF_SERVICE_PLANS = ['free', 'pro', 'max'] as const satisfies readonly Plan[];

const FREE_FEATURES = ['text', 'text_status'] as const;
const PRO_FEATURES = [
  'media',
  'sticker',
  'media_status',
  'location',
  'contact',
  'reaction',
  'revoke',
  'edit',
  'interactive',
] as const;
const MAX_FEATURES = ['poll', 'disappearing', 'group_invite', 'groups', 'channels'] as const;

export const FEATURES = [...FREE_FEATURES, ...PRO_FEATURES, ...MAX_FEATURES] as const;
export type Feature = (typeof FEATURES)[number];

export const PLAN_FEATURES: Readonly<Record<Plan, ReadonlySet<Feature>>> = {
  free: new Set<Feature>(FREE_FEATURES),
  pro: new Set<Feature>([...FREE_FEATURES, ...PRO_FEATURES]),
  max: new Set<Feature>(FEATURES),
  partner: new Set<Feature>(FEATURES),
};

export function planIncludes(plan: Plan, feature: Feature): boolean {
  return PLAN_FEATURES[plan].has(feature);
}

export type PlanLimits = {
  /** Messages per minute of one number; null where it is negotiated per account. */
  readonly sendsPerMinute: number | null;
  /** Messages per subscription period of one number; null where it is negotiated per account. */
  readonly sendsPerPeriod: number | null;
  readonly deliveryHistoryDays: number;
  /** Numbers an account on this plan may hold; null where there is no bound. */
  readonly numbersPerAccount: number | null;
};

export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { sendsPerMinute: 10, sendsPerPeriod: 500, deliveryHistoryDays: 3, numbersPerAccount: 1 },
  pro: { sendsPerMinute: 20, sendsPerPeriod: 10_000, deliveryHistoryDays: 30, numbersPerAccount: null },
  max: { sendsPerMinute: 30, sendsPerPeriod: 50_000, deliveryHistoryDays: 90, numbersPerAccount: null },
  partner: { sendsPerMinute: null, sendsPerPeriod: null, deliveryHistoryDays: 90, numbersPerAccount: null },
};

/** What an API key may be allowed to do. A key without a list may do everything. */
export const PERMISSIONS = ['messages', 'sessions', 'groups', 'contacts', 'channels', 'webhooks'] as const;
export type Permission = (typeof PERMISSIONS)[number];
