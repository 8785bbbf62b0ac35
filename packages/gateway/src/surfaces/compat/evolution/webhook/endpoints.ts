import type { Extension } from '@parley/contract';
import { actorBehind } from '#accounts';
import type { Caller, CompatEndpoint } from '#platform/http';
import { type FormattedWebhook, formattedWebhook, setFormattedWebhook } from '#webhooks';
import { NO_BODY_BYTES, SMALL_BODY_BYTES } from '../fields.ts';
import { type EvolutionContext, type Instance, mayHave, onInstance, SURFACE } from '../instances.ts';
import { badRequest, invalid } from '../refusals.ts';
import {
  EVENT_NAMES,
  HEADER_NAME_MAX_LENGTH,
  WebhookBody,
  type WebhookGiven,
  type WebhookOptions,
} from './options.ts';

/** Every event of this interface that clients have to subscribe to. */
const EXTENSIONS: readonly Extension[] = ['own_messages', 'groups', 'chats', 'contacts'];
const NOTHING: WebhookOptions = {
  url: '',
  headers: null,
  byEvents: false,
  base64: false,
  events: [],
  includesToken: false,
  updatedAt: 0,
};

export function webhookEndpoints(context: EvolutionContext): CompatEndpoint[] {
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
  // Clients that switch the webhook off send arbitrary values there.
  const url = active || (written && URL.canParse(written)) ? written : before.url;
  if (url === undefined) throw invalid('instance requires property "url"');
  if (active && !URL.canParse(url)) throw badRequest('Invalid "url" property');
  const options: WebhookOptions = {
    url,
    headers: readHeaders(given.headers),
    byEvents: given.byEvents ?? given.webhookByEvents ?? false,
    base64: given.base64 ?? given.webhookBase64 ?? false,
    events: readEvents(given.events ?? []),
    includesToken: mayHave(caller, instance.remembered),
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

/** Selects all events when the client names none, as the original does. */
function readEvents(names: readonly string[]): string[] {
  const unknown = names.find((name) => !EVENT_NAMES.some((known) => known === name));
  if (unknown !== undefined) throw invalid(`events[0] is not one of enum values: ${EVENT_NAMES.join(',')}`);
  return [...(names.length === 0 ? EVENT_NAMES : names)];
}

/** These headers control framing and routing of the request, so a receiver must not set them. */
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
