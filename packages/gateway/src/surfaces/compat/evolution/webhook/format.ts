import { createHmac } from 'node:crypto';
import type { PublicEvent } from '@parley/contract';
import type { WebhookFormat } from '#webhooks';
import { addressOf } from '../../context.ts';
import type { CodeListener } from '../instance/pairing.ts';
import { type EvolutionContext, SURFACE } from '../instances.ts';
import { translate } from './events.ts';
import { askedName, type WebhookOptions } from './options.ts';

const TOKEN_LIVES_SECONDS = 600;
/** Not sent as a header: its value is the secret that signs a JWT for the receiver. */
const TOKEN_KEY_HEADER = 'jwt_key';

export function createWebhookFormat(context: EvolutionContext): WebhookFormat {
  const { instances } = context;
  return {
    async render({ payload, options: written, slotId, url, now, signedAt }) {
      const options: WebhookOptions = JSON.parse(written);
      const instance = await instances.lately.ofNumber(slotId);
      if (!instance) return [];
      const event: PublicEvent | CodeListener = JSON.parse(payload);
      const isOfGroup = 'is_group' in event && event.is_group;
      if (isOfGroup && instance.remembered.settings.groupsIgnore) return [];
      const translated = translate(event, instance, options);
      if (!translated || !options.events.includes(askedName(translated.event))) return [];
      const destination = options.byEvents
        ? `${url.replace(/\/$/, '')}/${translated.event.replaceAll('.', '-')}`
        : url;
      const body = {
        event: translated.event,
        instance: instance.name,
        data: translated.data,
        destination: url,
        date_time: new Date(now).toISOString(),
        sender: `${instance.number.phone}@s.whatsapp.net`,
        server_url: addressOf(SURFACE, context) ?? null,
        apikey: options.includesToken ? instance.remembered.token : null,
      };
      return [
        {
          url: destination,
          headers: headersOf(options, instance.name, slotId, translated.event, signedAt),
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

/** Returns a JWT (HS256) that expires after ten minutes. */
function tokenFor(key: string, now: number): string {
  const iat = Math.floor(now / 1_000);
  const claims = { iat, exp: iat + TOKEN_LIVES_SECONDS, app: 'evolution', action: 'webhook' };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
