import type { ApiKey, CreateApiKeyBody } from '@parley/sdk/operator';
import type { Run } from '../command.ts';
import type { KEY_CREATE, KEY_LIST, KEY_REVOKE } from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { operator } from './connect.ts';

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
  const { api_keys } = await operator(connection).apiKeys.list(args.account);
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

export const revokeKey: Run<typeof KEY_REVOKE> = async ({ args, connection, terminal }) => {
  await operator(connection).apiKeys.revoke(args.account, args.key);
  terminal.show({ key_id: args.key, revoked: true }, () => `${args.key} is revoked`);
};
