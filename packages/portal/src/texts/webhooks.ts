import {
  type DeliveryStatus,
  type EventCategory,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_SECRET_OVERLAP_SECONDS,
} from '@parley/contract';
import { formatNumber } from '../ui/format.ts';

export const categoryTexts: Readonly<Record<EventCategory, { name: string; hint: string }>> = {
  messages: { name: 'Messages', hint: 'Every incoming message, reaction and story.' },
  status: { name: 'Status', hint: 'What became of your own messages: sent, failed, delivered, read.' },
  connection: { name: 'Connection', hint: 'The number connected, disconnected or was logged out.' },
  events: {
    name: 'Events',
    hint: 'Poll votes, typing, presence, calls and channel messages. There can be many.',
  },
};

export const deliveryStates: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  dead: 'Dead letter',
};

export const webhooksTexts = {
  title: 'Webhooks',
  lead: 'Everything that happens on a number, as signed requests to your systems.',
  create: 'Set up a webhook',
  emptyTitle: 'No webhook yet',
  emptyText:
    'Name the addresses of your systems, and they hear of incoming messages and of what became of yours.',
  noNumbersText: 'A webhook belongs to a number. Register one first.',
  toNumbers: 'Go to your numbers',
  number: 'Number',
  hears: 'Hears of',
  state: 'State',
  created: 'Created',
  active: 'Active',
  paused: 'Paused',
  createdTitle: 'Your webhook is set up',
  secretLabel: 'Signing secret',
  secretText: 'Each request carries a signature made with this secret. Check it before you trust a request.',
  howToCheck: 'How to check a signature',
  done: 'I have copied it',
} as const;

export const webhookTexts = {
  missingTitle: 'There is no such webhook',
  missingText: 'It may have been deleted.',
  urls: 'Where events go',
  saved: 'Saved. What was waiting goes to the new addresses.',
  pause: 'Pause',
  resume: 'Resume',
  pausedNote:
    'Paused: nothing is sent and nothing new is queued. What waits already goes out when you resume.',
  nowActive: 'The webhook is active again.',
  nowPaused: 'The webhook is paused.',
  test: 'Send test event',
  testText: 'A signed sample, as your system would get it. It shows up in the log below.',
  testTo: 'To',
  testSent: 'The test event is on its way.',
  noUrl: 'Set an address first.',
  rotate: 'Rotate secret',
  rotateTitle: 'Rotate the signing secret?',
  rotateText: `You get a new secret. For ${WEBHOOK_SECRET_OVERLAP_SECONDS / 3_600} hours requests carry both signatures, so that you can change over without losing any.`,
  rotatedTitle: 'Your new secret',
  remove: 'Delete',
  removeTitle: 'Delete this webhook?',
  removeText: 'Nothing is sent any more, and its log is deleted. The number stays as it is.',
  removed: 'The webhook is deleted.',
} as const;

export const statsTexts = {
  title: 'How deliveries go',
  range: 'Time',
  hour: 'Last day',
  day: 'Last 30 days',
  success: 'Success rate',
  successOf: (delivered: number, all: number) =>
    `${formatNumber(delivered)} of ${formatNumber(all)} attempts`,
  median: 'Median time',
  slowest: '95 in 100 faster than',
  waiting: 'Waiting',
  dead: 'Dead letters',
  attempts: 'Attempts',
  delivered: 'Delivered',
  failed: 'Failed',
  latency: 'Time until the answer',
  medianLine: 'Median',
  slowestLine: '95th percentile',
  attemptsSummary: (delivered: number, failed: number) =>
    `${formatNumber(delivered)} attempts were delivered and ${formatNumber(failed)} failed.`,
  latencySummary: (median: string) => `Half of all answers came within ${median}.`,
  nothing: 'Nothing was delivered in this time.',
} as const;

export const logTexts = {
  title: 'Delivery log',
  status: 'Result',
  kind: 'Kind of event',
  allKinds: 'All kinds',
  event: 'Event',
  attempts: 'Attempts',
  answer: 'Last answer',
  when: 'Last attempt',
  noAttempt: 'not yet',
  emptyTitle: 'Nothing here',
  emptyAll: 'Deliveries appear here as they happen. Send a test event to see one.',
  emptyFiltered: 'No delivery fits this filter.',
  deadTitle: 'No dead letters',
  deadText: `A delivery ends here when all ${WEBHOOK_ATTEMPTS} attempts failed. You can then deliver it again.`,
  delivery: 'Delivery',
  to: 'To',
  nextAttempt: 'Next attempt',
  attemptTable: 'Attempts',
  took: 'Took',
  at: 'At',
  result: 'Answer',
  payload: 'Payload, without its content',
  redeliver: 'Deliver again',
  redelivered: 'It is in the queue again.',
} as const;
