import { formatNumber } from '../ui/format.ts';

export const statisticsTexts = {
  lead: 'How much your numbers send and receive. Days are in UTC.',
  number: 'Number',
  range: 'Days to show',
  days: (days: number) => `${days} days`,
  csv: 'Save as CSV',
  byDay: 'By day',
  byNumber: 'By number',
  day: 'Day',
  title: 'Messages by day',
  outcome: 'Sent, by outcome',
  incoming: 'Received',
  accepted: 'Accepted',
  delivered: 'Delivered',
  sent: 'On their way',
  waiting: 'Waiting',
  failed: 'Failed',
  received: 'Received',
  summary: (accepted: number, delivered: number, failed: number) =>
    `${formatNumber(accepted)} messages accepted, ${formatNumber(delivered)} delivered, ${formatNumber(failed)} failed.`,
  summaryIn: (received: number) => `${formatNumber(received)} messages received.`,
  emptyTitle: 'No number yet',
  emptyText: 'Register a number and link it; its messages are counted here.',
} as const;
