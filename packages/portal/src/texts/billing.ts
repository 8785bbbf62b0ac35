import type { InvoiceStatus, Plan } from '@parley/contract';
import { formatDay, formatNumber, formatShortDay } from '../ui/format.ts';
import { planNames } from './labels.ts';

export const invoiceStatuses: Readonly<Record<InvoiceStatus, string>> = {
  open: 'Open',
  paid: 'Paid',
  no_charge: 'Nothing to pay',
};

export const billingTexts = {
  lead: 'What your numbers have used, what that costs, and the invoices. Each number is billed separately.',
  usage: 'This period',
  usageEmptyTitle: 'No number yet',
  usageEmpty: 'The usage and cost of registered numbers appear here.',
  number: 'Number',
  plan: 'Plan',
  used: 'Used',
  usedOf: (used: number, quota: number) => `${formatNumber(used)} of ${formatNumber(quota)}`,
  forecast: 'At the end, probably',
  forecastEarly: 'After the first day',
  quotaEnds: (day: string) => `Used up on ${formatShortDay(day)}`,
  price: 'With tax',
  noPrice: 'No charge',
  until: 'Until',
  sum: (total: string) => `${total} for all numbers when their periods end`,
  invoices: 'Invoices',
  invoicesEmpty: 'The first invoice is issued when the current period ends.',
  csv: 'Save as CSV',
  invoice: 'Invoice',
  period: 'Period',
  total: 'Total',
  status: 'Status',
  address: 'On your invoices',
  changeAddress: 'Change',
  addressTitle: 'Name and address on invoices',
  addressText: 'They appear on all invoices from now on.',
  name: 'Name',
  street: 'Address',
  taxId: 'Tax number',
  email: 'Email',
  addressDone: 'Saved. It appears on the next invoice.',
} as const;

export const invoiceTexts = {
  title: 'Invoice',
  statement: 'Usage statement',
  number: 'Invoice',
  phone: 'Number',
  plan: 'Plan',
  period: 'Period',
  issued: 'Issued',
  due: 'Due',
  paid: 'Paid',
  reference: 'Reference',
  included: 'Messages included',
  used: 'Messages used',
  billedTo: 'Billed to',
  taxId: (id: string) => `Tax number ${id}`,
  service: 'Service',
  amount: 'Amount',
  net: 'Net',
  tax: (percent: number) => `Tax ${percent} %`,
  total: 'Total',
  print: 'Print',
  pdf: 'PDF',
  utc: 'Days begin and end in UTC.',
  foot: 'Made by the gateway when the period ended. One invoice per number and period.',
} as const;

export const planTexts = {
  title: 'Change plan',
  current: 'Your plan now',
  same: 'This is the plan that the number has.',
  quota: 'Messages a period',
  rate: 'Messages a minute',
  price: 'Price a period, with tax',
  free: 'No charge',
  becomes: (before: string, after: string) => `${before} → ${after}`,
  unchanged: (value: string) => `${value}, as before`,
  used: (used: number, quota: number, day: string) =>
    `The ${formatNumber(used)} messages of this period count on: ${formatNumber(used)} of ${formatNumber(quota)} are used, until ${formatDay(day)}.`,
  exceeded: (used: number, quota: number, day: string) =>
    `The ${formatNumber(used)} messages of this period count on, and ${formatNumber(quota)} are included: the number could not send anything until ${formatDay(day)}.`,
  closing: (total: string) =>
    `The running period ends now, and its invoice asks for the days that it lasted: ${total}. The new period begins at once.`,
  closingFree: 'The running period ends now, and the new one begins at once.',
  loses: (features: string) => `It can no longer send: ${features}.`,
  confirm: (plan: Plan) => `Change to ${planNames[plan]}`,
  understood: 'I understand what changes.',
} as const;
