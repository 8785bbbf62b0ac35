import { actorBehind } from '#accounts';
import type { ForeignCall, ForeignEndpoint } from '#http';
import { type CloudContext, checkAccount, endpoint, numbersOf } from '../context.ts';
import { isObject, textIn } from '../fields.ts';
import { accountIdOf } from '../ids.ts';
import { callbackOf, removeCallback, setCallback } from '../webhooks/callbacks.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'] as const;

export function accountEndpoints(context: CloudContext): ForeignEndpoint[] {
  const each = async (call: ForeignCall) => {
    await checkAccount(context, call);
    return numbersOf(context, call);
  };
  return [
    endpoint(['GET', '/debug_token'], 'debugToken', async ({ query, key, caller }) => {
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
    }),
    endpoint(
      ['POST', '/:id/subscribed_apps'],
      'subscribe',
      async (call) => {
        const numbers = await each(call);
        // Without an address everything stays as it is: numbers that have one are told of already.
        if (!isObject(call.body) || textIn(call.body, 'override_callback_uri') === undefined)
          return { success: true };
        return {
          success: true,
          ...(await setCallback(context, numbers, call.body, actorBehind(call.caller))),
        };
      },
      { permission: 'webhooks' },
    ),
    endpoint(['GET', '/:id/subscribed_apps'], 'listSubscribed', async (call) => {
      const urls = await Promise.all((await each(call)).map(({ number }) => callbackOf(context, number)));
      const app = { id: 'parley', name: 'Parley', link: context.publicUrl() ?? call.origin };
      return {
        data: [...new Set(urls.filter((url) => url !== undefined))].map((url) => ({
          whatsapp_business_api_data: app,
          override_callback_uri: url,
        })),
      };
    }),
    endpoint(
      ['DELETE', '/:id/subscribed_apps'],
      'unsubscribe',
      async (call) => {
        for (const { number } of await each(call))
          await removeCallback(context, number, actorBehind(call.caller));
        return { success: true };
      },
      { permission: 'webhooks' },
    ),
  ];
}
