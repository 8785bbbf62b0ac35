import type { Device, Operator, UpdateDeviceBody } from '@parley/sdk/operator';
import { CommandError, type Run } from '../command.ts';
import type { DEVICE_ADD, DEVICE_LIST, DEVICE_SET } from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { operator } from './connect.ts';

export const addDevice: Run<typeof DEVICE_ADD> = async ({ args, options, connection, terminal }) => {
  const plan = (options.plan ?? 'max') as Device['plan'];
  const added = await operator(connection).devices.create(args.account, { phone: args.phone, plan });
  terminal.show(added, () => asFields({ ...added }));
};

export const listDevices: Run<typeof DEVICE_LIST> = async ({ args, connection, terminal }) => {
  const { devices: all } = operator(connection);
  const { devices } = args.account === undefined ? await all.listAll() : await all.list(args.account);
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
  const found = (await devices.listAll()).devices.find((each) => each.phone === phone);
  if (!found) throw new CommandError(`${phone} is not registered; parley device add does that`);
  return found.slot_id;
}
