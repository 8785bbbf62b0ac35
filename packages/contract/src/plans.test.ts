import { expect, test } from 'vitest';
import { SEND_KINDS } from './messages/kinds.ts';
import { FEATURES, type Feature, PLAN_LIMITS, PLANS, planIncludes } from './plans.ts';

const ONLY_FROM_PRO: Feature[] = [
  'media',
  'sticker',
  'media_status',
  'location',
  'contact',
  'reaction',
  'revoke',
  'edit',
  'interactive',
];
const ONLY_FROM_MAX: Feature[] = ['poll', 'disappearing', 'group_invite', 'groups', 'channels'];

test('includes plain text and text status in every plan', () => {
  for (const plan of PLANS) {
    expect(planIncludes(plan, 'text')).toBe(true);
    expect(planIncludes(plan, 'text_status')).toBe(true);
  }
});

test.each(ONLY_FROM_PRO)('%s needs Pro or higher', (feature) => {
  expect(PLANS.filter((plan) => planIncludes(plan, feature))).toEqual(['pro', 'max', 'partner']);
});

test.each(ONLY_FROM_MAX)('%s needs Max or Partner', (feature) => {
  expect(PLANS.filter((plan) => planIncludes(plan, feature))).toEqual(['max', 'partner']);
});

test.each(Object.values(SEND_KINDS))('includes $kind in its plan and all larger ones', ({ kind, plan }) => {
  expect(PLANS.filter((each) => planIncludes(each, kind))).toEqual(PLANS.slice(PLANS.indexOf(plan)));
});

test('lists features from the smallest plan to the largest', () => {
  const plans = FEATURES.map((feature) => PLANS.findIndex((plan) => planIncludes(plan, feature)));
  expect(plans).toEqual(plans.toSorted());
});

test('keeps rates, quotas and history per plan', () => {
  expect(PLANS.map((plan) => PLAN_LIMITS[plan].sendsPerMinute)).toEqual([10, 20, 30, null]);
  expect(PLANS.map((plan) => PLAN_LIMITS[plan].sendsPerPeriod)).toEqual([500, 10_000, 50_000, null]);
  expect(PLANS.map((plan) => PLAN_LIMITS[plan].deliveryHistoryDays)).toEqual([3, 30, 90, 90]);
  expect(PLANS.map((plan) => PLAN_LIMITS[plan].numbersPerAccount)).toEqual([1, null, null, null]);
});
