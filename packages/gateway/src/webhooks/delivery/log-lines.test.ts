import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textEvent } from '#events/testing';
import type { LineLog } from '#kernel';
import { useStore } from '#testing';
import { registerWebhook } from '../endpoints/configuration.ts';
import {
  COMMAND_MODULES,
  createHarness,
  createReceivers,
  type Receivers,
  type TestHarness,
} from '../testing/index.ts';
import type { Deliveries } from './deliveries.ts';

const MINUTE = 60_000;
const testStore = useStore('SQLite', 'new for each test', COMMAND_MODULES);

let harness: TestHarness;
let receivers: Receivers;
let deliveries: Deliveries;
let lines: { level: string; outcome: string }[];

beforeEach(() => {
  lines = [];
  const at = (level: string) => (facts: object, name: string) => {
    if (name === 'event.delivery') lines.push({ level, ...facts } as (typeof lines)[number]);
  };
  const log: LineLog<'debug' | 'info' | 'warn' | 'error'> = {
    ...{ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  };
  harness = createHarness(testStore.store);
  receivers = createReceivers(harness.clock);
  deliveries = harness.deliverWith(receivers, { log });
});
afterEach(async () => {
  const stopped = deliveries.stop();
  harness.clock.advance(MINUTE);
  await stopped;
});

test('a delivery ends with one line: ids of the API, the receiver without its path, no content', async () => {
  const number = await harness.newNumber();
  const { id: webhookId } = await registerWebhook(harness, number, {
    messages_url: 'https://shop.example/hook?key=hush',
  });
  await harness.log.emit([{ ...number, key: 'first', event: textEvent('first') }]);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines).toEqual([
    {
      level: 'info',
      eventId: 'first',
      kind: 'message',
      webhookId,
      receiver: 'https://shop.example',
      attempt: 1,
      outcome: 'delivered',
      ms: expect.any(Number),
    },
  ]);
});

test('a receiver that goes on failing is one warning, and its recovery one line', async () => {
  let status = 503;
  receivers.answer = () => status;
  const number = await harness.newNumber();
  await registerWebhook(harness, number, { messages_url: 'https://broken.example/' });
  await harness.log.emit([{ ...number, key: 'waits', event: textEvent('waits') }]);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  for (let tries = 2; tries <= 3; tries++)
    await vi.waitFor(() => {
      harness.clock.advance(MINUTE);
      expect(lines).toHaveLength(tries);
    });
  status = 200;
  await vi.waitFor(() => {
    harness.clock.advance(MINUTE);
    expect(lines).toHaveLength(4);
  });
  const failed = { outcome: 'failed', reason: 'server_error', status: 503 };
  expect(lines).toMatchObject([
    { level: 'warn', attempt: 1, ...failed },
    { level: 'debug', attempt: 2, ...failed },
    { level: 'debug', attempt: 3, ...failed },
    { level: 'info', attempt: 4, outcome: 'delivered' },
  ]);
});
