import {
  ACCOUNT_SEND_BURST,
  ACCOUNT_SENDS_PER_SECOND,
  COOLDOWN_CONSECUTIVE_SENDS,
  COOLDOWN_PAUSE_SECONDS,
  COOLDOWN_RESET_GAP_SECONDS,
  EDIT_WINDOW_SECONDS,
  FEATURES,
  INLINE_MEDIA_MAX_BYTES,
  NETWORK_ACTIONS_IN_PARALLEL,
  OUTBOUND_MEDIA_MAX_BYTES,
  PLAN_LIMITS,
  PLANS,
  type PlanLimits,
  planIncludes,
  REQUEST_BODY_MAX_BYTES,
  SEND_ATTEMPTS,
  SESSION_SEND_BURST,
  SESSION_SENDS_PER_SECOND,
  sampleError,
  VALIDATION_BATCH_MAX_NUMBERS,
} from '@parley/contract';
import { type Entry, panel, statusBadge, table } from '../components.ts';
import { type Child, html } from '../html.ts';
import { capitalized, count, duration, megabytes } from '../prose.ts';

const times = (rate: number, burst: number): string =>
  `${rate} message${rate === 1 ? '' : 's'} per second, bursts of ${burst}`;

export const limitsEntry: Entry = {
  id: 'limits',
  title: 'Limits',
  text: html`<p>Posts to channels count like any other send. A request that is refused spends nothing, and neither does a repeated
one. Every answer to a send carries the tightest limit in its <code>RateLimit</code> headers.</p>
${table(
  ['Limit', 'Value'],
  [
    ['Each number', html`messages per minute by plan, see <a href="#plans">Plans</a>`],
    ['Each session', times(SESSION_SENDS_PER_SECOND, SESSION_SEND_BURST)],
    ['Each account', times(ACCOUNT_SENDS_PER_SECOND, ACCOUNT_SEND_BURST)],
    [
      'Cooldown',
      `after ${COOLDOWN_CONSECUTIVE_SENDS} messages of a number without a gap of ${COOLDOWN_RESET_GAP_SECONDS} seconds, a pause of ${duration(COOLDOWN_PAUSE_SECONDS)}`,
    ],
    [
      'Actions in parallel',
      `${NETWORK_ACTIONS_IN_PARALLEL} per number: groups, contacts, channels, validation`,
    ],
    ['Attempts of a send', `${SEND_ATTEMPTS}, while the failure is transient`],
    ['Media sent', megabytes(OUTBOUND_MEDIA_MAX_BYTES)],
    ['Media received inline', `${megabytes(INLINE_MEDIA_MAX_BYTES)}; larger files arrive as metadata`],
    ['Request body', megabytes(REQUEST_BODY_MAX_BYTES)],
    ['Edit window', duration(EDIT_WINDOW_SECONDS)],
    ['Numbers in one validation', count(VALIDATION_BATCH_MAX_NUMBERS)],
  ],
)}`,
  samples: [
    panel({
      title: 'Headers of a send',
      language: 'http',
      code: 'RateLimit-Limit: 5\nRateLimit-Remaining: 4\nRateLimit-Reset: 1',
    }),
    panel({
      title: html`Too fast ${statusBadge(429)}`,
      language: 'http',
      code: `Retry-After: 1\n\n${JSON.stringify({ error: sampleError('session_rate_exceeded').text })}`,
    }),
  ],
};

export const plansEntry: Entry = {
  id: 'plans',
  title: 'Plans',
  text: html`<p>Each number has its own plan. A period is one month, rolling from the day the plan was activated.</p>
${table(
  ['', ...PLANS.map(capitalized)],
  [
    allowance('Messages per minute', 'sendsPerMinute', 'agreed'),
    allowance('Messages per period', 'sendsPerPeriod', 'agreed'),
    allowance('Delivery log, days', 'deliveryHistoryDays', ''),
    allowance('Numbers', 'numbersPerAccount', 'any'),
    ...FEATURES.map((feature) => [
      capitalized(feature.replaceAll('_', ' ')),
      ...PLANS.map((plan) => included(planIncludes(plan, feature))),
    ]),
  ],
)}`,
};

function allowance(name: string, limit: keyof PlanLimits, unbounded: string): Child[] {
  return [
    name,
    ...PLANS.map((plan) => {
      const value = PLAN_LIMITS[plan][limit];
      return value === null ? unbounded : count(value);
    }),
  ];
}

function included(yes: boolean): Child {
  return yes
    ? html`<span class="yes">✓</span><span class="unseen">yes</span>`
    : html`<span class="no">no</span>`;
}
