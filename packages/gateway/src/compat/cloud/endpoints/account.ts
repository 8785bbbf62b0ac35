import { oneLine, TOKEN_MAX_LENGTH } from '@parley/contract';
import Type from 'typebox';
import { actorBehind } from '#accounts';
import type { ForeignEndpoint } from '#http';
import { SubscribeBody } from '../bodies.ts';
import { type CloudContext, numbersOf, phoneOf } from '../context.ts';
import { endpoint, onAccount } from '../endpoint.ts';
import { accountIdOf } from '../ids.ts';
import { PAGE_MAX, PageQuery, pageOf } from '../pages.ts';
import { callbackOf, removeCallback, setCallback } from '../webhooks/callbacks.ts';

const TokenQuery = Type.Object({
  input_token: Type.Optional(Type.String({ maxLength: TOKEN_MAX_LENGTH, ...oneLine })),
});
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'] as const;

export function accountEndpoints(context: CloudContext): ForeignEndpoint[] {
  return [
    endpoint(
      ['GET', '/debug_token'],
      'debugToken',
      async ({ query, key, caller }) => {
        const is_valid = query.input_token === key;
        if (!is_valid) return { data: { is_valid } };
        const target_ids = [accountIdOf(caller.accountId)];
        const granular_scopes = SCOPES.map((scope) => ({ scope, target_ids }));
        return {
          data: {
            app_id: 'parley',
            type: 'SYSTEM_USER',
            is_valid,
            expires_at: 0,
            scopes: SCOPES,
            granular_scopes,
          },
        };
      },
      { permission: 'none', input: { query: TokenQuery } },
    ),
    onAccount(
      context,
      ['POST', '/:id/subscribed_apps'],
      'subscribe',
      async (call) => {
        // Without an address everything stays as it is: numbers that have one are told of already.
        if (call.body.override_callback_uri === undefined) return { success: true };
        const numbers = await numbersOf(context, call);
        return {
          success: true,
          ...(await setCallback(context, numbers, call.body, actorBehind(call.caller))),
        };
      },
      { permission: 'webhooks', input: { body: SubscribeBody } },
    ),
    onAccount(
      context,
      ['GET', '/:id/subscribed_apps'],
      'listSubscribed',
      async (call) => {
        const { items, paging } = pageOf(await numbersOf(context, call), phoneOf, call.query);
        const urls = await Promise.all(items.map(({ number }) => callbackOf(context, number)));
        const app = { id: 'parley', name: 'Parley', link: context.publicUrl() ?? call.origin };
        return {
          data: [...new Set(urls.filter((url) => url !== undefined))].map((url) => ({
            whatsapp_business_api_data: app,
            override_callback_uri: url,
          })),
          ...('cursors' in paging && { paging }),
        };
      },
      { permission: 'webhooks', input: { query: PageQuery }, pageMax: PAGE_MAX },
    ),
    onAccount(
      context,
      ['DELETE', '/:id/subscribed_apps'],
      'unsubscribe',
      async (call) => {
        for (const { number } of await numbersOf(context, call))
          await removeCallback(context, number, actorBehind(call.caller));
        return { success: true };
      },
      { permission: 'webhooks' },
    ),
  ];
}
