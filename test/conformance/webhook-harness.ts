import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookWithSecret } from '@parley/contract';
import { expect } from 'vitest';
import type { Gateway } from './gateway.ts';
import { type LinkedNumber, linkedNumber, type Someone, someone } from './numbers.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A linked number whose webhook sends all events to one receiver, and Ada, a contact with a phone. */
export interface WebhookHarness {
  readonly me: LinkedNumber;
  readonly ada: Someone;
  readonly receiver: Receiver;
  readonly webhook: WebhookWithSecret;
  /** An action of Ada on her phone. */
  adas<T>(path: string, body: object): Promise<T>;
  /** Returns the id of the message. */
  adaSends(message: object, to?: string): Promise<string>;
  /** Waits for the rate limit of the number: a fast machine would exceed it. */
  send(message: object): Promise<{ id: string; key: string }>;
}

export async function createWebhookHarness(gateway: Gateway): Promise<WebhookHarness> {
  const receiver = await startReceiver();
  const [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway, { name: 'Ada' })]);
  const { body: webhook } = await me.call<WebhookWithSecret>('POST', '/webhooks', {
    session_id: me.sessionId,
    messages_url: `${receiver.url}/messages`,
    status_url: `${receiver.url}/status`,
    connection_url: `${receiver.url}/connection`,
    events_url: `${receiver.url}/events`,
  });

  const adas = <T>(path: string, body: object): Promise<T> =>
    gateway.sandbox('POST', `/phones/${ada.phone}${path}`, body);

  async function adaSends(message: object, to = me.phone): Promise<string> {
    const { message_id } = await adas<{ message_id: string }>('/messages', { to, ...message });
    return message_id;
  }

  let sends = 0;
  async function send(message: object): Promise<{ id: string; key: string }> {
    const key = `order-${me.phone}-${++sends}`;
    const { status, headers, body } = await me.call<{ message_id: string }>(
      'POST',
      '/messages',
      { session_id: me.sessionId, ...message },
      { 'Idempotency-Key': key },
    );
    if (status === 429) {
      await sleep(1_000 * Number(headers.get('retry-after')));
      return send(message);
    }
    expect(status).toBe(202);
    return { id: body.message_id, key };
  }

  return { me, ada, receiver, webhook, adas, adaSends, send };
}
