import { oneLine, TOKEN_MAX_LENGTH } from '@parley/contract';
import Type from 'typebox';
import { actorBehind } from '#accounts';
import type { CompatEndpoint } from '#platform/http';
import { SubscribeBody, TemplateBody, TemplateQuery } from '../bodies.ts';
import { type CloudContext, numbersOf, phoneOf } from '../context.ts';
import { afterKey, endpoint, firstOf, limitOf, onAccount, PAGE_MAX, PageQuery, pageOf } from '../endpoint.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { accountIdOf, templateIdOf } from '../ids.ts';
import { parseTemplate, type Template } from '../templates/templates.ts';
import { callbackOf, removeCallback, setCallback } from '../webhooks/callbacks.ts';

const TokenQuery = Type.Object({
  input_token: Type.Optional(Type.String({ maxLength: TOKEN_MAX_LENGTH, ...oneLine })),
});
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'] as const;

export function accountEndpoints(context: CloudContext): CompatEndpoint[] {
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
        // Without an address nothing changes: numbers that have one are already subscribed.
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

/** Never part of a name or a language. */
const BETWEEN = ' ';
const ListQuery = Type.Object({ ...PageQuery.properties, ...TemplateQuery.properties });

/** Templates belong to the account and need no approval, so they are usable as soon as they are defined. */
export function templateEndpoints(context: CloudContext): CompatEndpoint[] {
  const { templates } = context;
  return [
    onAccount(
      context,
      ['GET', '/:id/message_templates'],
      'listTemplates',
      async ({ caller: { accountId }, query }) => {
        const [name = '', language = ''] = afterKey(query)?.split(BETWEEN) ?? [];
        const found = await templates.list(accountId, {
          ...{ name: query.name, language: query.language },
          after: name === '' ? undefined : { name, language },
          // One more row shows whether there is another page.
          limit: limitOf(query) + 1,
        });
        const { items, paging } = firstOf(found, keyOf, query);
        return { data: items.map((each) => describe(accountId, each)), paging };
      },
      { permission: 'messages', input: { query: ListQuery }, pageMax: PAGE_MAX },
    ),
    onAccount(
      context,
      ['POST', '/:id/message_templates'],
      'defineTemplate',
      async ({ body, caller: { accountId } }) => {
        const template = parseTemplate(body);
        await templates.define(accountId, template);
        const { id, status, category } = describe(accountId, template);
        return { id, status, category };
      },
      { permission: 'messages', input: { body: TemplateBody } },
    ),
    onAccount(
      context,
      ['DELETE', '/:id/message_templates'],
      'deleteTemplate',
      async ({ caller: { accountId }, query: { name, language } }) => {
        if (name === undefined) throw invalid('The parameter name is required.');
        if (!(await templates.remove(accountId, name, language)))
          throw new GraphError(132001, `There is no template ${name}.`);
        return { success: true };
      },
      { permission: 'messages', input: { query: TemplateQuery } },
    ),
  ];
}

function keyOf({ name, language }: Template): string {
  return name + BETWEEN + language;
}

function describe(accountId: string, template: Template) {
  const { name, language, category, components } = template;
  return { id: templateIdOf(accountId, template), name, language, category, status: 'APPROVED', components };
}
