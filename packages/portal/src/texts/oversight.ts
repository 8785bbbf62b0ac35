import { formatNumber } from '../ui/format.ts';

export const throughputTexts = {
  lead: 'What the whole gateway accepts, sends, receives and delivers.',
  period: 'Period',
  views: { hour: 'Last hour', day: 'Last day', month: 'Last month' },
  chart: { hour: 'By minute', day: 'By quarter of an hour', month: 'By half day' },
  accepted: 'Accepted',
  sent: 'Sent',
  received: 'Received',
  delivered: 'Delivered',
  summary: ([accepted = 0, sent = 0, received = 0, delivered = 0]: readonly number[]) =>
    `${formatNumber(accepted)} messages accepted, ${formatNumber(sent)} sent, ${formatNumber(received)} received, ${formatNumber(delivered)} events delivered.`,
} as const;

export const troubleTexts = {
  lead: 'What does not work at the moment, in all accounts.',
  restricted: 'Restricted and banned numbers',
  noneRestricted: 'No number is restricted or banned. Such numbers appear here, with a link to their page.',
  failing: 'Receivers that fail',
  noneFailing: 'All receivers accept events. Failing ones appear here, with the number of waiting events.',
  failingNotAll: 'Only those that have failed longest are listed.',
  quarantine: 'Quarantine',
  noneQuarantined:
    'All events of the network could be stored. Those that cannot be stored appear here, to be retried after the cause is fixed.',
  number: 'Number',
  account: 'Account',
  state: 'State',
  failure: 'What is wrong',
  waiting: 'Waiting',
  since: 'Since',
  kind: 'Kind',
  reason: 'Why it could not be stored',
  bytes: (size: string) => `${size} bytes, sealed`,
  actions: 'Actions',
  drop: 'Drop',
  dropTitle: 'Drop this for good?',
  dropText: 'The event is deleted unread. It would be dropped automatically after 30 days.',
  dropped: 'It is dropped.',
  stored: 'It is stored and published.',
  notStored: (reason: string) => `It could not be stored this time either: ${reason}`,
} as const;
