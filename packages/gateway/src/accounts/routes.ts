import { operations } from '@parley/contract';
import { type Route, serve } from '#platform/http';
import { changeAccount, createAccount, getAccount, listAccounts } from './accounts.ts';
import type { MembersContext } from './context.ts';
import { changeDevice, getDevice, listDevices, registerDevice } from './devices/devices.ts';
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from './keys.ts';
import { makePasswordLink } from './members/links.ts';
import { listMembers } from './members/members.ts';
import { resetTwoFactor } from './members/second-factor.ts';
import { publishTerms, termsOfAccount } from './terms/terms.ts';

export function accountsRoutes(context: MembersContext): Route[] {
  return [
    ...operatorRoutes(context),
    serve(operations.getTerms, ({ caller }) => termsOfAccount(context, caller.accountId)),
  ];
}

function operatorRoutes(context: MembersContext): Route[] {
  return [
    serve(operations.createAccount, ({ body }) => createAccount(context, 'operator', body)),
    serve(operations.listAccounts, async ({ query }) => {
      const { items, nextCursor } = await listAccounts(context, query);
      return { accounts: items, next_cursor: nextCursor };
    }),
    serve(operations.getAccount, ({ params }) => getAccount(context, params.account_id)),
    serve(operations.updateAccount, ({ params, body }) =>
      changeAccount(context, 'operator', params.account_id, body),
    ),

    serve(operations.listMembers, async ({ params }) => ({
      members: await listMembers(context, params.account_id),
    })),
    serve(operations.resetPassword, ({ params, body, origin }) =>
      makePasswordLink(context, params.account_id, { email: body.email, origin }),
    ),

    serve(operations.resetTwoFactor, async ({ params }) => {
      await resetTwoFactor(context, { accountId: params.account_id, memberId: params.member_id });
      return undefined;
    }),

    serve(operations.createApiKey, ({ params, body }) =>
      createApiKey(context, 'operator', params.account_id, body),
    ),
    serve(operations.listApiKeys, async ({ params, query }) => {
      const { items, nextCursor } = await listApiKeys(context, params.account_id, query);
      return { api_keys: items, next_cursor: nextCursor };
    }),
    serve(operations.revokeApiKey, async ({ params }) => {
      await revokeApiKey(context, 'operator', params.account_id, params.key_id);
      return undefined;
    }),

    serve(operations.rollApiKey, ({ params, body }) =>
      rollApiKey(context, 'operator', {
        accountId: params.account_id,
        keyId: params.key_id,
        overlapHours: body.overlap_hours,
      }),
    ),

    serve(operations.createDevice, ({ params, body }) =>
      registerDevice(context, 'operator', params.account_id, body),
    ),
    serve(operations.listDevices, async ({ params, query }) => {
      const { items, nextCursor } = await listDevices(context, params.account_id, query);
      return { devices: items, next_cursor: nextCursor };
    }),
    serve(operations.getDevice, ({ params }) => getDevice(context, params.slot_id)),
    serve(operations.updateDevice, ({ params, body }) =>
      changeDevice(context, 'operator', params.slot_id, body),
    ),

    serve(operations.publishTerms, ({ body }) => publishTerms(context, 'operator', body)),
  ];
}
