import type { WebhookWithSecret } from '@parley/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { link, linkedNumber, register, someone } from './numbers.ts';
import { startReceiver } from './receiver.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const receiver = await startReceiver();
afterAll(() => receiver.close());

describe('the URL for the connection gets', () => {
  test('a log-out at once', async () => {
    const other = await linkedNumber(gateway);
    const { body } = await other.call<WebhookWithSecret>('POST', '/webhooks', {
      session_id: other.jid,
      connection_url: `${receiver.url}/connection`,
    });
    await gateway.sandbox('POST', `/phones/${other.phone}/unlink`, { session_id: other.sessionId });
    const { event, path, headers } = await receiver.next('connection', ({ event }) => event === 'logged_out');
    expect(path).toBe('/connection');
    expect(headers['x-webhook-id']).toBe(body.id);
    expect(event).toEqual({
      kind: 'connection',
      session_id: other.sessionId,
      event: 'logged_out',
      timestamp_unix: expect.any(Number),
      reason: 'logged_out',
      detail: expect.any(String),
    });
  });

  test('the link of a number that was unlinked', async () => {
    const fresh = await register(gateway, 'max', (await someone(gateway)).phone);
    await fresh.call('POST', '/webhooks', {
      session_id: fresh.jid,
      connection_url: `${receiver.url}/connection`,
    });
    const linked = await link(fresh);
    const { event } = await receiver.next('connection', ({ session_id }) => session_id === linked.sessionId);
    expect(event.event).toBe('connected');
  });
});
