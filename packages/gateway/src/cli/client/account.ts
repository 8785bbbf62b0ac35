import type { Account } from '@parley/sdk/operator';
import type { Run } from '../command.ts';
import type { ACCOUNT_ACTIVATE, ACCOUNT_CREATE, ACCOUNT_LIST, ACCOUNT_SUSPEND } from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { operator } from './connect.ts';

export const createAccount: Run<typeof ACCOUNT_CREATE> = async ({ args, options, connection, terminal }) => {
  const made = await operator(connection).accounts.create({ ...args, password: options.password });
  terminal.show(made, () => asFields({ ...made }));
};

export const listAccounts: Run<typeof ACCOUNT_LIST> = async ({ connection, terminal }) => {
  const { accounts } = await operator(connection).accounts.list();
  const row = (each: Account) => [
    each.account_id,
    each.name,
    each.email,
    each.status,
    each.tos_accepted_version,
  ];
  terminal.show({ accounts }, () =>
    asTable(['account', 'name', 'email', 'status', 'terms'], accounts.map(row)),
  );
};

export const suspendAccount: Run<typeof ACCOUNT_SUSPEND> = ({ args, connection, terminal }) =>
  setStatus('suspended', args.account, { connection, terminal });

export const activateAccount: Run<typeof ACCOUNT_ACTIVATE> = ({ args, connection, terminal }) =>
  setStatus('active', args.account, { connection, terminal });

async function setStatus(
  status: Account['status'],
  accountId: string,
  { connection, terminal }: Pick<Parameters<Run<typeof ACCOUNT_LIST>>[0], 'connection' | 'terminal'>,
): Promise<void> {
  const changed = await operator(connection).accounts.update(accountId, { status });
  terminal.show(changed, () => `${changed.name} is ${changed.status}`);
}
