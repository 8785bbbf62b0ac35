import { SEND_FEATURES } from './messages/features.generated.ts';

/** Features and limits of each plan, from the smallest to the largest. Message kinds and endpoints name the feature they need. */

export const PLANS = ['free', 'pro', 'max', 'partner'] as const;
export type Plan = (typeof PLANS)[number];

/** Plans that an owner can choose; the others are negotiated with the operator. */
export const SELF_SERVICE_PLANS = ['free', 'pro', 'max'] as const satisfies readonly Plan[];

const OTHER_FEATURES = {
  groups: { plan: 'max', label: 'to groups' },
  channels: { plan: 'max', label: 'to channels' },
} as const;

/** Features with the smallest plan that includes them and their label. */
const FEATURE_TRAITS = { ...SEND_FEATURES, ...OTHER_FEATURES };
export type Feature = keyof typeof FEATURE_TRAITS;

/** From the smallest plan to the largest. */
export const FEATURES = (Object.keys(FEATURE_TRAITS) as Feature[]).sort(
  (one, other) => PLANS.indexOf(FEATURE_TRAITS[one].plan) - PLANS.indexOf(FEATURE_TRAITS[other].plan),
);

export const PLAN_FEATURES: Readonly<Record<Plan, ReadonlySet<Feature>>> = {
  free: featuresUpTo('free'),
  pro: featuresUpTo('pro'),
  max: featuresUpTo('max'),
  partner: featuresUpTo('partner'),
};

function featuresUpTo(plan: Plan): ReadonlySet<Feature> {
  const rank = PLANS.indexOf(plan);
  return new Set(FEATURES.filter((feature) => PLANS.indexOf(FEATURE_TRAITS[feature].plan) <= rank));
}

/** Label in lists of features. */
export function labelOfFeature(feature: Feature): string {
  return FEATURE_TRAITS[feature].label;
}

export function planIncludes(plan: Plan, feature: Feature): boolean {
  return PLAN_FEATURES[plan].has(feature);
}

export type PlanLimits = {
  /** Messages per minute and number; null where negotiated per account. */
  readonly sendsPerMinute: number | null;
  /** Messages per subscription period and number; null where negotiated per account. */
  readonly sendsPerPeriod: number | null;
  readonly deliveryHistoryDays: number;
  /** Numbers per account; null for no limit. */
  readonly numbersPerAccount: number | null;
};

export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { sendsPerMinute: 10, sendsPerPeriod: 500, deliveryHistoryDays: 3, numbersPerAccount: 1 },
  pro: { sendsPerMinute: 20, sendsPerPeriod: 10_000, deliveryHistoryDays: 30, numbersPerAccount: null },
  max: { sendsPerMinute: 30, sendsPerPeriod: 50_000, deliveryHistoryDays: 90, numbersPerAccount: null },
  partner: { sendsPerMinute: null, sendsPerPeriod: null, deliveryHistoryDays: 90, numbersPerAccount: null },
};

/** Permissions of an API key. A key without a list has all of them. */
export const PERMISSIONS = ['messages', 'sessions', 'groups', 'contacts', 'channels', 'webhooks'] as const;
export type Permission = (typeof PERMISSIONS)[number];
