import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnGateway, startGateway } from './gateway.ts';
import { linkedNumber, WATCHING } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

/** A second gateway, with its numbers on the network inside the first. */
let second: OwnGateway;
const first = sharedGateway();
beforeAll(async () => {
  second = await startGateway({ PARLEY_SANDBOX_URL: first.url });
});
afterAll(() => second?.stop());

test('numbers of two gateways write to each other over one sandbox', async () => {
  const abroad = { ...second, url: second.url, operator: second.operator, sandbox: first.sandbox };
  const [near, far] = await Promise.all([linkedNumber(first), linkedNumber(abroad)]);
  const { status } = await far.call(
    'POST',
    '/messages',
    { session_id: far.sessionId, to: near.phone, text: 'From the other side' },
    { 'Idempotency-Key': 'across' },
  );
  expect(status).toBe(202);
  await vi.waitFor(async () => {
    const shown = await first.sandbox<{ messages: object[] }>('GET', `/phones/${near.phone}/messages`);
    expect(shown.messages).toMatchObject([{ text: 'From the other side', sender_jid: far.jid }]);
  }, WATCHING);
});
