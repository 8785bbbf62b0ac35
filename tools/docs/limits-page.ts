import * as contract from '@parley/contract';
import { FEATURES, PLAN_LIMITS, PLANS, type PlanLimits, planIncludes } from '@parley/contract';

const megabytes = (bytes: number): string => `${bytes / 1024 ** 2} MB`;
const minutes = (seconds: number): string => `${seconds / 60} minutes`;

/** All limits that callers can reach. */
export function limitsPage(): string {
  const c = contract;
  return `# Limits

Limits protect numbers from being taken for machines, and accounts from each other. Those of sending are counted in the database, in the same transaction as
the message that they admit: they hold across processes and restarts. A request that is refused spends nothing, and neither does a repeated one.

## Sending

${table(
  ['Limit', 'Value', 'Answer'],
  [
    [
      'each number',
      'N messages per minute by [plan](#plans): N in the first minute, then paced',
      'session_rate_exceeded',
    ],
    [
      'each session',
      `${c.SESSION_SENDS_PER_SECOND} message per second, bursts of ${c.SESSION_SEND_BURST}`,
      'session_rate_exceeded',
    ],
    [
      'each account',
      `${c.ACCOUNT_SENDS_PER_SECOND} messages per second, bursts of ${c.ACCOUNT_SEND_BURST}`,
      'account_rate_exceeded',
    ],
    [
      'cooldown',
      `after ${c.COOLDOWN_CONSECUTIVE_SENDS} messages of a number without a gap of ${c.COOLDOWN_RESET_GAP_SECONDS} seconds, a pause of ${minutes(c.COOLDOWN_PAUSE_SECONDS)}`,
      'cooldown',
    ],
    ['quota', 'messages per period by [plan](#plans)', 'quota_exhausted'],
  ].map(([limit = '', value = '', code = '']) => [limit, value, errorLink(code as contract.ErrorCode)]),
)}

A number that was quiet for a minute gets its per-minute value N within the first minute and no more; from then on one per 60/N seconds until it has been quiet for
a minute again. So no 60 seconds ever hold more than N. A client that sends N late in the first minute waits longer accordingly; \`Retry-After\` says how long.

Posts to channels and test sends of the portal draw on the same budget. Every answer of \`POST /v1/messages\` carries \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` of the tightest limit.

A program that wants to send much sends steadily: at the pace of its plan, with the messages of a campaign spread over hours. A 429 is an answer to slow down by, not
one to retry at once.

## Plans

Each number has its own plan. A period is one month, rolling from the day on which the plan was activated. A new plan begins a new period at
once; what was sent in the last month's periods counts on in it, so that going to another plan and back does not fill up the quota.

${table(
  ['', ...PLANS.map((plan) => `\`${plan}\``)],
  [
    allowance('messages per minute', 'sendsPerMinute', 'agreed'),
    allowance('messages per period', 'sendsPerPeriod', 'agreed'),
    allowance('delivery log, days', 'deliveryHistoryDays', ''),
    allowance('numbers', 'numbersPerAccount', 'any'),
    ...FEATURES.map((feature) => [
      feature.replaceAll('_', ' '),
      ...PLANS.map((plan) => (planIncludes(plan, feature) ? '✓' : 'no')),
    ]),
  ],
)}

## Sizes and times

${table(
  ['What', 'Limit'],
  [
    ['file that is sent or uploaded', megabytes(c.OUTBOUND_MEDIA_MAX_BYTES)],
    [
      'files of an account that are kept',
      `${c.MEDIA_ACCOUNT_MAX_BYTES / 1024 ** 3} GB, each for ${c.MEDIA_RETENTION_DAYS} days; the same bytes count once, and need room each time they come`,
    ],
    [
      'archives of an account that are kept',
      `${c.EXPORTS_ACCOUNT_MAX_BYTES / 1024 ** 3} GB beside its files, each for ${c.EXPORT_KEPT_DAYS} days`,
    ],
    ['uploads of an account at the same time', String(c.MEDIA_UPLOADS_IN_PARALLEL)],
    [
      'file that comes inside an event',
      `${megabytes(c.INLINE_MEDIA_MAX_BYTES)}; larger ones come as \`too_large\`, with their metadata only`,
    ],
    [
      'file that is fetched by its `media.id`',
      `${c.INBOUND_MEDIA_MAX_BYTES / 1024 ** 3} GB; a link to it is good for ${c.MEDIA_LINK_HOURS} hours, a copy that is not kept is dropped after ${c.MEDIA_COPY_MINUTES} minutes`,
    ],
    ['body of a request', megabytes(c.REQUEST_BODY_MAX_BYTES)],
    [
      'text',
      `${c.TEXT_MAX_LENGTH.toLocaleString('en')} characters; a caption ${c.CAPTION_MAX_LENGTH.toLocaleString('en')}`,
    ],
    ['name of a group', `${c.GROUP_NAME_MAX_LENGTH} characters`],
    ['poll', `${c.POLL_OPTIONS_MIN} to ${c.POLL_OPTIONS_MAX} options`],
    ['buttons', `${c.BUTTONS_MIN} to ${c.BUTTONS_MAX}`],
    ['numbers in one validation', `${c.VALIDATION_BATCH_MAX_NUMBERS}`],
    [
      'requests at once that ask the network, per number',
      `${c.NETWORK_ACTIONS_IN_PARALLEL}; each has ${c.NETWORK_ACTION_TIMEOUT_SECONDS} seconds`,
    ],
    ['editing a message', minutes(c.EDIT_WINDOW_SECONDS)],
    ['attempts of a send', `${c.SEND_ATTEMPTS}, after ${c.SEND_RETRY_DELAYS_SECONDS.join(', ')} seconds`],
    [
      '`Idempotency-Key`',
      `${c.IDEMPOTENCY_KEY_MAX_LENGTH} characters, kept for ${c.IDEMPOTENCY_KEY_TTL_SECONDS / 3600} hours`,
    ],
    ['QR', `about ${c.QR_LIFETIME_SECONDS} seconds; the attempt ${minutes(c.ONBOARDING_LIFETIME_SECONDS)}`],
    ['answer of a webhook receiver', `${c.WEBHOOK_TIMEOUT_SECONDS} seconds, ${c.WEBHOOK_ATTEMPTS} attempts`],
    [
      'open streams of events and waiting requests for them',
      `${c.EVENT_STREAMS_PER_KEY} per key and ${c.EVENT_STREAMS_PER_ACCOUNT} per account in each process, then ${errorLink('too_many_streams')}; those of the portal count apart`,
    ],
    ['age of a signature', minutes(c.SIGNATURE_TOLERANCE_SECONDS)],
    [
      'delivery log',
      `the latest ${c.DELIVERY_HISTORY_MAX_ENTRIES} entries of an account, dead letters before others`,
    ],
    [
      'what is known of a message',
      `${c.MESSAGE_METADATA_RETENTION_DAYS} days, on PostgreSQL up to a week longer`,
    ],
  ],
)}
`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function allowance(name: string, limit: keyof PlanLimits, unbounded: string): string[] {
  return [name, ...PLANS.map((plan) => PLAN_LIMITS[plan][limit]?.toLocaleString('en') ?? unbounded)];
}

function errorLink(code: contract.ErrorCode): string {
  const { status, text } = contract.sampleError(code);
  const [beginning = ''] = text.split(/[:;]/);
  return `${status} \`${beginning}\``;
}
