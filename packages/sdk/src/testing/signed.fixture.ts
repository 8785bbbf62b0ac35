import { createHmac } from 'node:crypto';
import { systemPlatform } from '../platform.ts';

export const SECRET = 'whsec_of_the_tests';

/** Request as the gateway sends it: raw body and headers. */
export function signed(
  event: object,
  {
    secrets = [SECRET],
    at = systemPlatform.now() / 1_000,
  }: { secrets?: readonly string[]; at?: number } = {},
) {
  const body = JSON.stringify(event);
  const t = Math.floor(at);
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'),
  );
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-webhook-id': 'wh_1',
      'x-message-id': 'M1',
      'x-timestamp': String(t),
      'x-webhook-signature': [`t=${t}`, ...signatures.map((hex) => `v1=${hex}`)].join(','),
    },
  };
}

export const message = { kind: 'message', message_id: 'M1', text: 'Grüße 👋' };
