import type { Extension } from '@parley/contract';
import { actorBehind } from '#accounts';
import type { Caller, ForeignEndpoint } from '#http';
import { type FormattedWebhook, formattedWebhook, setFormattedWebhook } from '#webhooks';
import { NO_BODY_BYTES, SMALL_BODY_BYTES } from '../fields.ts';
import { mayHave } from '../instance/token.ts';
import { type EvolutionContext, type Instance, onInstance, SURFACE } from '../instances.ts';
import { badRequest, invalid } from '../refusals.ts';
import { HEADER_NAME_MAX_LENGTH, WebhookBody, type WebhookGiven } from './bodies.ts';
import { EVENT_NAMES, type WebhookOptions } from './options.ts';

/** All that this interface tells of and that has to be asked for here. */
const EXTENSIONS: readonly Extension[] = ['own_messages', 'groups', 'chats', 'contacts'];
const NOTHING: WebhookOptions = {
  url: '',
  headers: null,
  byEvents: false,
  base64: false,
  events: [],
  tellsToken: false,
  updatedAt: 0,
};

export function webhookEndpoints(context: EvolutionContext): ForeignEndpoint[] {
  return [
    onInstance(
      context,
      ['POST', '/webhook/set'],
      async (call) => {
        const stored = await setWebhook(context, call, call.body.webhook ?? call.body);
        return { status: 201, body: shownWebhook(call.instance, stored) };
      },
      { permission: 'webhooks', input: { body: WebhookBody }, bodyMaxBytes: SMALL_BODY_BYTES },
    ),
    onInstance(
      context,
      ['GET', '/webhook/find'],
      async ({ instance }) => {
        const stored = await formattedWebhook(context.webhooks, instance.number, SURFACE);
        return { body: stored ? shownWebhook(instance, stored) : null };
      },
      { permission: 'webhooks', input: {}, bodyMaxBytes: NO_BODY_BYTES },
    ),
  ];
}

export async function setWebhook(
  context: EvolutionContext,
  {
    instance,
    caller,
  }: { readonly instance: Instance; readonly caller: Pick<Caller, 'accountId' | 'permissions'> },
  given: WebhookGiven,
): Promise<FormattedWebhook> {
  const active = given.enabled ?? true;
  const before = shownOptions(await formattedWebhook(context.webhooks, instance.number, SURFACE));
  const written = given.url;
  // Clients that switch it off write anything there.
  const url = active || (written && URL.canParse(written)) ? written : before.url;
  if (url === undefined) throw invalid('instance requires property "url"');
  if (active && !URL.canParse(url)) throw badRequest('Invalid "url" property');
  const options: WebhookOptions = {
    url,
    headers: readHeaders(given.headers),
    byEvents: given.byEvents ?? given.webhookByEvents ?? false,
    base64: given.base64 ?? given.webhookBase64 ?? false,
    events: readEvents(given.events ?? []),
    tellsToken: mayHave(caller, instance.remembered),
    updatedAt: context.clock.now(),
  };
  return setFormattedWebhook(
    context.webhooks,
    instance.number,
    SURFACE,
    {
      urls: { messages_url: url, status_url: url, connection_url: url, events_url: url },
      active,
      options: JSON.stringify(options),
      extensions: EXTENSIONS,
    },
    actorBehind(caller),
  );
}

/** All of them when none is named, as this interface has it. */
function readEvents(names: readonly string[]): string[] {
  const unknown = names.find((name) => !EVENT_NAMES.some((known) => known === name));
  if (unknown !== undefined) throw invalid(`events[0] is not one of enum values: ${EVENT_NAMES.join(',')}`);
  return [...(names.length === 0 ? EVENT_NAMES : names)];
}

/** They say how a request is framed and where it goes, which is not for its receiver to say. */
const FRAMING = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
]);
const HEADER_NAME = new RegExp(`^[\\w!#$%&'*+.^\`|~-]{1,${HEADER_NAME_MAX_LENGTH}}$`);

function readHeaders(given: WebhookGiven['headers']): Record<string, string> | null {
  const headers = Object.entries(given ?? {}).map(([name, value]) => [name, String(value)] as const);
  const wrong = headers.find(
    ([name, value]) =>
      !HEADER_NAME.test(name) || FRAMING.has(name.toLowerCase()) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  if (wrong) throw badRequest(`The header ${JSON.stringify(wrong[0])} cannot be sent`);
  return headers.length === 0 ? null : Object.fromEntries(headers);
}

export function shownOptions(webhook: FormattedWebhook | undefined): WebhookOptions {
  return webhook ? JSON.parse(webhook.options) : NOTHING;
}

function shownWebhook({ number }: Instance, webhook: FormattedWebhook): object {
  const { url, headers, events, byEvents, base64, updatedAt } = shownOptions(webhook);
  return {
    id: webhook.id,
    url,
    headers,
    enabled: webhook.active,
    events,
    webhookByEvents: byEvents,
    webhookBase64: base64,
    createdAt: new Date(webhook.createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    instanceId: number.slotId,
  };
}
