import { operations } from '@parley/contract';
import { createApiKey, listApiKeyUses, revokeApiKey } from '#accounts';
import { type Route, serve } from '#http';
import { fault } from '#kernel';
import type { PortalContext } from '../context.ts';

export function keyRoutes({ accounts, directory }: PortalContext): Route[] {
  return [
    serve(operations.listMyApiKeys, async ({ caller }) => ({
      api_keys: await listApiKeyUses(accounts, caller.accountId),
    })),
    serve(operations.createMyApiKey, async ({ caller: { accountId }, body }) => {
      if (body.phone !== undefined && !(await directory.ownedNumber(accountId, body.phone)))
        throw fault('device_not_found');
      return createApiKey(accounts, `owner:${accountId}`, accountId, body);
    }),
    serve(operations.revokeMyApiKey, async ({ caller: { accountId }, params }) => {
      await revokeApiKey(accounts, `owner:${accountId}`, accountId, params.key_id);
      return undefined;
    }),
  ];
}
