import type { CommandSpec } from '../command.ts';
import { account } from './shared.ts';

/** Prices and invoices, for whoever runs a gateway. */

const price = (plan: string) => ({
  help: `price of ${plan} per number and period, in the smallest unit of the currency; none takes it back`,
  takes: 'amount',
});

export const BILLING_SHOW = {
  name: 'billing show',
  help: 'show prices, seller and numbering, or what was agreed with an account',
  talksTo: 'operator',
  arguments: [{ ...account, optional: true }],
} as const satisfies CommandSpec;

export const BILLING_SET = {
  name: 'billing set',
  help: 'set prices for all accounts or for one; they hold for invoices from now on',
  talksTo: 'operator',
  arguments: [{ ...account, optional: true }],
  options: {
    currency: { help: 'ISO 4217', takes: 'code' },
    tax: { help: 'in percent', takes: 'rate' },
    free: price('Free'),
    pro: price('Pro'),
    max: price('Max'),
    partner: price('Partner'),
  },
  examples: [
    'parley billing set --currency EUR --tax 19 --pro 1900 --max 4900',
    'parley billing set acc_01j9z6m4k2 --pro 1500',
  ],
} as const satisfies CommandSpec;

export const INVOICE_LIST = {
  name: 'invoice list',
  help: 'list invoices, of one account or of all',
  talksTo: 'operator',
  arguments: [{ ...account, optional: true }],
  options: {
    status: { help: 'only these', takes: 'status', choices: ['open', 'paid', 'no_charge'] },
    csv: { help: 'as a table for spreadsheets' },
  },
} as const satisfies CommandSpec;

export const INVOICE_RUN = {
  name: 'invoice run',
  help: 'close due periods now; invoices also come by themselves',
  talksTo: 'operator',
} as const satisfies CommandSpec;

const invoice = { name: 'invoice', help: 'id of the invoice (inv_…)' } as const;

export const INVOICE_PAID = {
  name: 'invoice paid',
  help: 'mark an invoice as paid',
  talksTo: 'operator',
  arguments: [invoice],
  options: { reference: { help: 'of the payment', takes: 'words' } },
} as const satisfies CommandSpec;

export const INVOICE_PDF = {
  name: 'invoice pdf',
  help: 'save an invoice as PDF',
  talksTo: 'operator',
  arguments: [invoice],
  options: { out: { help: 'where to; to the standard output unless told', takes: 'file' } },
} as const satisfies CommandSpec;
