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
  noneRestricted:
    'The network has nothing against any number. One that it holds back or bans stands here, with the way to its page.',
  failing: 'Receivers that fail',
  noneFailing:
    'Every receiver takes what it is sent. One that answers nothing but failures stands here, with what waits for it.',
  failingNotAll: 'These have failed longest; others fail too.',
  quarantine: 'Quarantine',
  noneQuarantined:
    'Everything that the network told could be stored. What could not be stands here, to be tried again when the cause is gone.',
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
  dropText: 'What the network told here is deleted unseen. It would be dropped by itself after 30 days.',
  dropped: 'It is dropped.',
  stored: 'It is stored, and told like everything else.',
  notStored: (reason: string) => `It could not be stored this time either: ${reason}`,
} as const;
