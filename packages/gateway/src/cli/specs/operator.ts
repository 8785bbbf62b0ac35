import { DELETION_GRACE_DAYS, PERMISSIONS, PLANS, TERMS_NOTICE_DAYS } from '@parley/contract/plain';
import type { CommandSpec } from '../command.ts';

/** Commands of a gateway's operator. */

/** Account of an operator's command. */
const account = { name: 'account', help: 'id of the account (acc_…)' } as const;

const DEVICE_STATUS_CHOICES = ['active', 'inactive', 'suspended'] as const;

export const ACCOUNT_CREATE = {
  name: 'account create',
  help: 'create an account',
  talksTo: 'operator',
  arguments: [
    { name: 'name', help: 'of its owner' },
    { name: 'email', help: 'for signing in to the portal' },
  ],
  options: { password: { help: 'for signing in; without one see account reset-password', takes: 'words' } },
  examples: ['parley account create "Harbour Books" ada@example.com'],
} as const satisfies CommandSpec;

export const ACCOUNT_LIST = {
  name: 'account list',
  help: 'list accounts',
  talksTo: 'operator',
} as const satisfies CommandSpec;

export const ACCOUNT_SUSPEND = {
  name: 'account suspend',
  help: 'refuse all requests of an account until it is activated again',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;

export const ACCOUNT_ACTIVATE = {
  name: 'account activate',
  help: 'end the suspension of an account',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;

export const ACCOUNT_DELETE = {
  name: 'account delete',
  help: `erase an account in ${DELETION_GRACE_DAYS} days; until then it keeps working, but cannot add numbers`,
  talksTo: 'operator',
  arguments: [account],
  options: { now: { help: 'skip the days of grace' } },
  examples: ['parley account delete acc_01j9z6m4k2'],
} as const satisfies CommandSpec;

export const ACCOUNT_KEEP = {
  name: 'account keep',
  help: 'cancel the deletion of an account',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;

export const ACCOUNT_MEMBERS = {
  name: 'account members',
  help: 'list the members of an account',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;

export const ACCOUNT_RESET_PASSWORD = {
  name: 'account reset-password',
  help: 'make a link with which a member sets a new password; needs no mail',
  talksTo: 'operator',
  arguments: [account],
  options: { email: { help: 'the member; the first owner by default', takes: 'email' } },
  examples: ['parley account reset-password acc_01j9z6m4k2'],
} as const satisfies CommandSpec;

export const ACCOUNT_RESET_TWO_FACTOR = {
  name: 'account reset-two-factor',
  help: 'turn two-factor sign-in off for a member who has lost the app and the recovery codes',
  talksTo: 'operator',
  arguments: [account, { name: 'member', help: 'id of the member (mem_…)' }],
} as const satisfies CommandSpec;

export const TERMS_PUBLISH = {
  name: 'terms publish',
  help: `announce terms of service; every account has to have accepted them when they take effect, in ${TERMS_NOTICE_DAYS} days by default`,
  talksTo: 'operator',
  arguments: [
    { name: 'version', help: 'such as 2026-07; each can be published once' },
    { name: 'url', help: 'address of the text' },
  ],
  options: {
    effective: { help: 'when they take effect, as 2026-12-31T23:59:59Z', takes: 'time' },
    now: { help: 'take effect at once, which blocks every account until it accepts them' },
  },
  examples: ['parley terms publish 2026-07 https://example.com/terms/2026-07'],
} as const satisfies CommandSpec;

export const TERMS_LIST = {
  name: 'terms list',
  help: 'list the versions of the terms of service, newest first',
  talksTo: 'operator',
} as const satisfies CommandSpec;

export const KEY_CREATE = {
  name: 'key create',
  help: 'create an API key; it is shown only now',
  talksTo: 'operator',
  arguments: [account, { name: 'name', help: 'what it is for' }],
  options: {
    phone: { help: 'restrict it to this number', takes: 'number' },
    permission: {
      help: 'its permissions; all by default',
      takes: 'name',
      choices: PERMISSIONS,
      multiple: true,
    },
    expires: { help: 'when it ends, as 2026-12-31T23:59:59Z', takes: 'time' },
  },
  examples: ['parley key create acc_01j9z6m4k2 shop --phone 15550001001 --permission messages'],
} as const satisfies CommandSpec;

export const KEY_LIST = {
  name: 'key list',
  help: 'list the API keys of an account',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;

export const KEY_REVOKE = {
  name: 'key revoke',
  help: 'end an API key at once',
  talksTo: 'operator',
  arguments: [
    account,
    { name: 'key', help: 'id of the key, as key list shows it: what follows pk_ in the key itself' },
  ],
} as const satisfies CommandSpec;

export const KEY_ROLL = {
  name: 'key roll',
  help: 'replace an API key by a new one with the same permissions; it is shown only now',
  talksTo: 'operator',
  arguments: [account, { name: 'key', help: 'id of the key, as key list shows it' }],
  options: {
    overlap: { help: 'hours for which the old one stays valid; 24 by default', takes: 'hours' },
  },
} as const satisfies CommandSpec;

export const DEVICE_ADD = {
  name: 'device add',
  help: 'register a number, so that it can be paired',
  talksTo: 'operator',
  arguments: [account, { name: 'phone', help: 'digits only, in international form' }],
  options: { plan: { help: 'its plan; max by default', takes: 'plan', choices: PLANS } },
} as const satisfies CommandSpec;

export const DEVICE_LIST = {
  name: 'device list',
  help: 'list numbers, of one account or of all',
  talksTo: 'operator',
  arguments: [{ ...account, optional: true }],
} as const satisfies CommandSpec;

export const DEVICE_SET = {
  name: 'device set',
  help: 'change the plan or the status of a number',
  talksTo: 'operator',
  arguments: [{ name: 'device', help: 'number or id of the device (slot_…)' }],
  options: {
    plan: { help: 'the new plan', takes: 'plan', choices: PLANS },
    status: { help: 'the new status', takes: 'status', choices: DEVICE_STATUS_CHOICES },
  },
} as const satisfies CommandSpec;

/** Prices and invoices, for operators. */

const price = (plan: string) => ({
  help: `price of ${plan} per number and period, in the smallest unit of the currency; none removes it`,
  takes: 'amount',
});

export const BILLING_SHOW = {
  name: 'billing show',
  help: 'show prices, seller and numbering, or the prices agreed with an account',
  talksTo: 'operator',
  arguments: [{ ...account, optional: true }],
} as const satisfies CommandSpec;

export const BILLING_SET = {
  name: 'billing set',
  help: 'set prices for all accounts or for one; they apply to invoices from now on',
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
    csv: { help: 'as CSV' },
  },
} as const satisfies CommandSpec;

export const INVOICE_RUN = {
  name: 'invoice run',
  help: 'close due periods now; invoices are also made automatically',
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
  options: { out: { help: 'where to write it; standard output by default', takes: 'file' } },
} as const satisfies CommandSpec;
