import { createHmac } from 'node:crypto';
import type { PublicEvent } from '@parley/contract';
import type { WebhookFormat } from '#webhooks';
import { addressOf } from '../../context.ts';
import type { CodeTold } from '../instance/pairing.ts';
import { type EvolutionContext, SURFACE } from '../instances.ts';
import { translate } from './events.ts';
import { askedName, type WebhookOptions } from './options.ts';

const TOKEN_LIVES_SECONDS = 600;
/** A header of this name is not sent: its value signs a token for the receiver. */
const TOKEN_KEY_HEADER = 'jwt_key';

export function createWebhookFormat(context: EvolutionContext): WebhookFormat {
  const { instances } = context;
  return {
    async render({ payload, options: written, slotId, url, now, signedAt }) {
      const options: WebhookOptions = JSON.parse(written);
      const instance = await instances.lately.ofNumber(slotId);
      if (!instance) return [];
      const event: PublicEvent | CodeTold = JSON.parse(payload);
      const isOfGroup = 'is_group' in event && event.is_group;
      if (isOfGroup && instance.remembered.settings.groupsIgnore) return [];
      const told = translate(event, instance, options);
      if (!told || !options.events.includes(askedName(told.event))) return [];
      const destination = options.byEvents
        ? `${url.replace(/\/$/, '')}/${told.event.replaceAll('.', '-')}`
        : url;
      const body = {
        event: told.event,
        instance: instance.name,
        data: told.data,
        destination: url,
        date_time: new Date(now).toISOString(),
        sender: `${instance.number.phone}@s.whatsapp.net`,
        server_url: addressOf(SURFACE, context) ?? null,
        apikey: options.tellsToken ? instance.remembered.token : null,
      };
      return [
        {
          url: destination,
          headers: headersOf(options, instance.name, slotId, told.event, signedAt),
          body: JSON.stringify(body),
        },
      ];
    },
  };
}

function headersOf(
  { headers }: WebhookOptions,
  name: string,
  instanceId: string,
  event: string,
  now: number,
): Record<string, string> {
  const { [TOKEN_KEY_HEADER]: tokenKey, ...own } = headers ?? {};
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'EvolutionAPI-Webhook/2.3.7',
    'X-Instance-ID': instanceId,
    'X-Instance-Name': encodeURI(name),
    'X-Event-Type': event,
    'X-Timestamp': String(now),
    ...own,
    ...(tokenKey && { Authorization: `Bearer ${tokenFor(tokenKey, now)}` }),
  };
}

/** A JWT (HS256) that lives for ten minutes. */
function tokenFor(key: string, now: number): string {
  const iat = Math.floor(now / 1_000);
  const claims = { iat, exp: iat + TOKEN_LIVES_SECONDS, app: 'evolution', action: 'webhook' };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
