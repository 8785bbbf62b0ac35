import type {
  Account,
  ApiKey,
  CreateApiKeyBody,
  Device,
  Member,
  Operator,
  TermsVersion,
  UpdateDeviceBody,
} from 'parley-sdk/operator';
import { CommandError, type Run } from '../command.ts';
import type {
  ACCOUNT_ACTIVATE,
  ACCOUNT_CREATE,
  ACCOUNT_DELETE,
  ACCOUNT_KEEP,
  ACCOUNT_LIST,
  ACCOUNT_MEMBERS,
  ACCOUNT_RESET_PASSWORD,
  ACCOUNT_RESET_TWO_FACTOR,
  ACCOUNT_SUSPEND,
  DEVICE_ADD,
  DEVICE_LIST,
  DEVICE_SET,
  KEY_CREATE,
  KEY_LIST,
  KEY_REVOKE,
  KEY_ROLL,
  TERMS_LIST,
  TERMS_PUBLISH,
} from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { everyPage, operator } from './connect.ts';

export const createAccount: Run<typeof ACCOUNT_CREATE> = async ({ args, options, connection, terminal }) => {
  const made = await operator(connection).accounts.create({ ...args, password: options.password });
  terminal.show(made, () => asFields({ ...made }));
};

export const listAccounts: Run<typeof ACCOUNT_LIST> = async ({ connection, terminal }) => {
  const client = operator(connection).accounts;
  const accounts = await everyPage(
    (page) => client.list(page),
    (page) => page.accounts,
  );
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

export const deleteAccount: Run<typeof ACCOUNT_DELETE> = async ({ args, options, connection, terminal }) => {
  const query = options.now ? { now: true } : {};
  const deletion = await operator(connection).accounts.delete(args.account, query);
  terminal.show(deletion, () => `${args.account} is erased from ${deletion.due_at} on`);
};

export const keepAccount: Run<typeof ACCOUNT_KEEP> = async ({ args, connection, terminal }) => {
  await operator(connection).accounts.keep(args.account);
  terminal.show({ account_id: args.account, deletion: null }, () => `${args.account} stays`);
};

export const listMembers: Run<typeof ACCOUNT_MEMBERS> = async ({ args, connection, terminal }) => {
  const { members } = await operator(connection).members.list(args.account);
  const row = (each: Member) => [
    each.member_id,
    each.name,
    each.email,
    each.role,
    each.has_password ? 'yes' : 'no',
    each.two_factor ? 'yes' : 'no',
  ];
  const headings = ['member', 'name', 'email', 'role', 'password', 'two-factor'];
  terminal.show({ members }, () => asTable(headings, members.map(row)));
};

export const resetPassword: Run<typeof ACCOUNT_RESET_PASSWORD> = async ({
  args,
  options,
  connection,
  terminal,
}) => {
  const { email } = options;
  const made = await operator(connection).accounts.resetPassword(args.account, email ? { email } : {});
  terminal.show(made, () => asFields({ ...made }));
};

export const resetTwoFactor: Run<typeof ACCOUNT_RESET_TWO_FACTOR> = async ({
  args,
  connection,
  terminal,
}) => {
  await operator(connection).members.resetTwoFactor(args.account, args.member);
  terminal.show(
    { member_id: args.member, two_factor: false },
    () => `${args.member} signs in by password alone`,
  );
};

export const addDevice: Run<typeof DEVICE_ADD> = async ({ args, options, connection, terminal }) => {
  const plan = (options.plan ?? 'max') as Device['plan'];
  const added = await operator(connection).devices.create(args.account, { phone: args.phone, plan });
  terminal.show(added, () => asFields({ ...added }));
};

export const listDevices: Run<typeof DEVICE_LIST> = async ({ args, connection, terminal }) => {
  const { devices: all } = operator(connection);
  const { account } = args;
  const devices: (Device & { account_id?: string })[] =
    account === undefined
      ? await everyNumber(all)
      : await everyPage((page) => all.list(account, page), devicesIn);
  const row = (each: Device & { account_id?: string }) => [
    each.slot_id,
    each.phone,
    each.plan,
    each.status,
    `${each.used} of ${each.quota}`,
    each.account_id ?? args.account,
  ];
  terminal.show({ devices }, () =>
    asTable(['device', 'number', 'plan', 'status', 'sent', 'account'], devices.map(row)),
  );
};

const devicesIn = <T>({ devices }: { devices: T[] }): T[] => devices;

const everyNumber = (devices: Operator['devices']) => everyPage((page) => devices.listAll(page), devicesIn);

export const setDevice: Run<typeof DEVICE_SET> = async ({ args, options, connection, terminal }) => {
  if (options.plan === undefined && options.status === undefined) {
    throw new CommandError('there is nothing to change: pass --plan or --status');
  }
  const client = operator(connection);
  const slotId = await slotOf(args.device, client);
  const changed = await client.devices.update(slotId, options as UpdateDeviceBody);
  terminal.show(changed, () => asFields({ ...changed }));
};

/** A device by its id or by its number. */
export async function slotOf(device: string, { devices }: Operator): Promise<string> {
  if (!/^\+?\d+$/.test(device)) return device;
  const phone = device.replace('+', '');
  const found = (await everyNumber(devices)).find((each) => each.phone === phone);
  if (!found) throw new CommandError(`${phone} is not registered; parley device add does that`);
  return found.slot_id;
}

export const createKey: Run<typeof KEY_CREATE> = async ({ args, options, connection, terminal }) => {
  const made = await operator(connection).apiKeys.create(args.account, {
    name: args.name,
    phone: options.phone,
    // The parser has compared them with the very list that this type is made of.
    permissions: options.permission as CreateApiKeyBody['permissions'],
    expires_at: options.expires,
  });
  terminal.show(made, () => asFields({ ...made }));
};

export const listKeys: Run<typeof KEY_LIST> = async ({ args, connection, terminal }) => {
  const client = operator(connection).apiKeys;
  const api_keys = await everyPage(
    (page) => client.list(args.account, page),
    (page) => page.api_keys,
  );
  const row = (each: ApiKey) => [
    each.key_id,
    each.prefix,
    each.name,
    each.phone,
    each.permissions.join(','),
    each.expires_at,
  ];
  const headings = ['key', 'begins with', 'name', 'number', 'permissions', 'expires'];
  terminal.show({ api_keys }, () => asTable(headings, api_keys.map(row)));
};

export const rollKey: Run<typeof KEY_ROLL> = async ({ args, options, connection, terminal }) => {
  const { overlap } = options;
  if (overlap !== undefined && !/^\d+$/.test(overlap)) throw new CommandError('--overlap takes whole hours');
  const body = overlap === undefined ? {} : { overlap_hours: Number(overlap) };
  const made = await operator(connection).apiKeys.roll(args.account, args.key, body);
  terminal.show(made, () => asFields({ ...made }));
};

export const revokeKey: Run<typeof KEY_REVOKE> = async ({ args, connection, terminal }) => {
  await operator(connection).apiKeys.revoke(args.account, args.key);
  terminal.show({ key_id: args.key, revoked: true }, () => `${args.key} is revoked`);
};

export const publishTerms: Run<typeof TERMS_PUBLISH> = async ({ args, options, connection, terminal }) => {
  const { effective: effective_at, now } = options;
  const when = { ...(effective_at !== undefined && { effective_at }), ...(now && { now: true as const }) };
  const published = await operator(connection).terms.publish({ ...args, ...when });
  terminal.show(published, () => asFields({ ...published }));
};

export const listTerms: Run<typeof TERMS_LIST> = async ({ connection, terminal }) => {
  const { versions } = await operator(connection).terms.list();
  const row = (each: TermsVersion) => [each.version, each.published_at, each.effective_at, each.url];
  terminal.show({ versions }, () =>
    asTable(['version', 'published', 'in effect from', 'text'], versions.map(row)),
  );
};
