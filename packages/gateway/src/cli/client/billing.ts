import type { Invoice, UpdateBillingBody } from 'parley-sdk/operator';
import { CommandError, type Run } from '../command.ts';
import type {
  BILLING_SET,
  BILLING_SHOW,
  INVOICE_LIST,
  INVOICE_PAID,
  INVOICE_PDF,
  INVOICE_RUN,
} from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { everyPage, operator } from './connect.ts';
import { saveAnswer } from './media.ts';

export const showBilling: Run<typeof BILLING_SHOW> = async ({ args, connection, terminal }) => {
  const { billing } = operator(connection);
  const shown = args.account === undefined ? await billing.get() : await billing.getOfAccount(args.account);
  terminal.show(shown, () => asFields(flat({ ...shown })));
};

export const setBilling: Run<typeof BILLING_SET> = async ({ args, options, connection, terminal }) => {
  const { currency, tax, ...amounts } = options;
  const prices = Object.fromEntries(
    Object.entries(amounts).map(([plan, given]) => [
      plan,
      given === 'none' ? null : wholeNumber(plan, given),
    ]),
  );
  const change: UpdateBillingBody = {
    ...(currency !== undefined && { currency }),
    ...(tax !== undefined && { tax_percent: numberOf('tax', tax) }),
    ...(Object.keys(prices).length > 0 && { prices }),
  };
  if (Object.keys(change).length === 0) throw new CommandError('there is nothing to change: pass a price');
  const { billing } = operator(connection);
  const changed =
    args.account === undefined
      ? await billing.update(change)
      : await billing.updateOfAccount(args.account, change);
  terminal.show(changed, () => asFields(flat({ ...changed })));
};

export const listInvoices: Run<typeof INVOICE_LIST> = async ({ args, options, connection, terminal }) => {
  const { invoices } = operator(connection);
  const chosen = {
    ...(args.account !== undefined && { account_id: args.account }),
    // The parser has compared it with the same list.
    ...(options.status !== undefined && { status: options.status as Invoice['status'] }),
  };
  if (options.csv) {
    process.stdout.write(await (await invoices.csv(chosen)).text());
    return;
  }
  const all = await everyPage(
    (page) => invoices.list({ ...chosen, ...page }),
    (page) => page.invoices,
  );
  showInvoices(all, terminal);
};

export const runInvoices: Run<typeof INVOICE_RUN> = async ({ connection, terminal }) => {
  showInvoices((await operator(connection).invoices.run()).invoices, terminal);
};

export const markPaid: Run<typeof INVOICE_PAID> = async ({ args, options, connection, terminal }) => {
  const { reference } = options;
  const paid = await operator(connection).invoices.markPaid(args.invoice, reference ? { reference } : {});
  terminal.show(paid, () => `${paid.number} is paid`);
};

export const savePdf: Run<typeof INVOICE_PDF> = async ({ args, options, connection, terminal }) =>
  saveAnswer(await operator(connection).invoices.pdf(args.invoice), options.out, terminal);

function showInvoices(
  invoices: readonly Invoice[],
  terminal: Parameters<Run<typeof INVOICE_RUN>>[0]['terminal'],
) {
  const row = (each: Invoice) => [
    each.invoice_id,
    each.number,
    each.phone,
    each.plan,
    `${each.period_start.slice(0, 10)} – ${each.period_end.slice(0, 10)}`,
    each.total === null ? null : `${each.currency} ${each.total}`,
    each.status,
  ];
  const headings = ['invoice', 'number', 'phone', 'plan', 'period', 'total', 'status'];
  terminal.show({ invoices }, () => asTable(headings, invoices.map(row)));
}

/** `prices.pro` for what lies inside. */
function flat(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    value !== null && typeof value === 'object'
      ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each])
      : [[name, value]],
  );
  return Object.fromEntries(entries);
}

function wholeNumber(name: string, text: string): number {
  const value = numberOf(name, text);
  if (!Number.isSafeInteger(value)) throw new CommandError(`--${name} takes a whole number`);
  return value;
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new CommandError(`--${name} takes a number`);
  return value;
}
