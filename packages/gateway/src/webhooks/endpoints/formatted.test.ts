import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textEvent } from '#events/testing';
import type { Caller, OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { WebhookFormat } from '../delivery/formats.ts';
import {
  COMMAND_MODULES,
  createHarness,
  createReceivers,
  type Receivers,
  type TestHarness,
} from '../testing/index.ts';
import { registerWebhook, webhooksOf } from './configuration.ts';
import {
  formattedWebhook,
  notifyFormatted,
  removeFormattedWebhook,
  setFormattedWebhook,
} from './formatted.ts';

const OWN = 'https://receiver.example/own';
const THEIRS = 'https://receiver.example/theirs';

/** Renders each event as two requests, and texts that begin with a hash as none. */
const spoken: WebhookFormat = {
  async render({ payload, url, options, phone }) {
    const { text } = JSON.parse(payload);
    if (String(text).startsWith('#')) return [];
    return ['first', 'second'].map((part) => ({
      url: `${url}/${part}`,
      headers: { 'x-of': phone },
      body: `${options}: ${text}`,
    }));
  },
};

describeOnEachDatabase('webhooks in another format', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }): void {
  let harness: TestHarness;
  let receivers: Receivers;
  let running: Deliveries | undefined;
  let number: OwnedNumber;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    receivers = createReceivers(harness.clock);
    number = await harness.newNumber();
    deliver();
  });
  afterEach(async () => {
    await stop();
    await testStore.store.transaction((trx) => trx.deleteFrom('deliveries').execute());
  });

  function deliver(): void {
    running = harness.deliverWith(receivers, { formats: new Map([['spoken', spoken]]) });
  }
  async function stop(): Promise<void> {
    const stopped = running?.stop();
    harness.clock.advance(10_000);
    await stopped;
  }
  const set = (options = 'said', active = true) =>
    setFormattedWebhook(harness, number, 'spoken', {
      urls: { messages_url: THEIRS },
      active,
      options,
      extensions: [],
    });
  const emit = (text: string) => harness.log.emit([{ ...number, key: text, event: textEvent(text, text) }]);
  const received = () => receivers.received.filter(({ url }) => url.startsWith(THEIRS));
  const waiting = () => testStore.store.read.selectFrom('deliveries').select(['status', 'kind']).execute();

  test('receive events in their format beside the number’s own webhook, and are not listed with it', async () => {
    await registerWebhook(harness, number, { messages_url: OWN });
    await set();
    await emit('Hello');
    await vi.waitFor(() => expect(receivers.received).toHaveLength(3));
    expect(received().map(({ url, body, headers }) => [url, body, headers])).toEqual([
      [`${THEIRS}/first`, 'said: Hello', { 'x-of': number.phone }],
      [`${THEIRS}/second`, 'said: Hello', { 'x-of': number.phone }],
    ]);
    const caller: Caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
    expect((await webhooksOf(harness, caller)).map(({ messages_url }) => messages_url)).toEqual([OWN]);
  });

  test('are tried again as a whole until all of it was taken', async () => {
    await set();
    receivers.answer = ({ url }) => (url.endsWith('second') ? 500 : 200);
    await emit('Again');
    await vi.waitFor(() => expect(received()).toHaveLength(2));
    receivers.answer = () => 200;
    await vi.waitFor(async () => {
      harness.clock.advance(5_000);
      expect((await waiting()).map(({ status }) => status)).toEqual(['delivered']);
    });
    expect(received().map(({ url }) => url.split('/').at(-1))).toEqual([
      'first',
      'second',
      'first',
      'second',
    ]);
  });

  test('keep no delivery of an event that they render as no request', async () => {
    await set();
    await emit('# a comment');
    await emit('Wanted');
    await vi.waitFor(async () => expect(await waiting()).toMatchObject([{ status: 'delivered' }]));
    expect(received()).toHaveLength(2);
  });

  test('receive later what was queued while no process delivered', async () => {
    await set();
    await stop();
    await emit('Meanwhile');
    await notifyFormatted(harness, number, 'spoken', { kind: 'message', payload: { text: 'of its own' } });
    deliver();
    await vi.waitFor(() => expect(received()).toHaveLength(4));
    expect(received().map(({ body }) => body)).toContain('said: of its own');
  });

  test('record who made, changed and removed them, if known', async () => {
    const by = 'key:key_1';
    const wanted = { urls: { messages_url: THEIRS }, active: true, options: 'said', extensions: [] };
    await setFormattedWebhook(harness, number, 'spoken', wanted, by);
    const { id } = (await formattedWebhook(harness, number, 'spoken')) ?? {};
    await set('without an owner');
    await setFormattedWebhook(harness, number, 'spoken', wanted, by);
    await removeFormattedWebhook(harness, number, 'spoken', by);
    const noted = await testStore.store.read
      .selectFrom('audit_log')
      .select(['actor', 'action', 'subject'])
      .where('account_id', '=', number.accountId)
      .where('action', 'like', 'webhook.%')
      .orderBy('number')
      .execute();
    expect(noted).toEqual(
      ['created', 'changed', 'removed'].map((what) => ({
        actor: by,
        action: `webhook.${what}`,
        subject: id,
      })),
    );
  });

  test('change, pause and go, with what is queued for them', async () => {
    await set();
    await set('now', false);
    await emit('Not wanted');
    await notifyFormatted(harness, number, 'spoken', { kind: 'message', payload: { text: 'nor this' } });
    expect(await formattedWebhook(harness, number, 'spoken')).toMatchObject({
      options: 'now',
      active: false,
    });
    await set('now');
    await emit('Wanted');
    await vi.waitFor(() =>
      expect(received().map(({ body }) => body)).toEqual(['now: Wanted', 'now: Wanted']),
    );
    const other = await harness.newNumber();
    const wanted = { urls: { messages_url: THEIRS }, active: true, options: 'kept', extensions: [] };
    await setFormattedWebhook(harness, other, 'spoken', wanted);
    await removeFormattedWebhook(harness, number, 'spoken');
    expect(await formattedWebhook(harness, number, 'spoken')).toBeUndefined();
    expect(await formattedWebhook(harness, other, 'spoken')).toMatchObject({ options: 'kept' });
    await emit('Gone');
    expect((await waiting()).filter(({ status }) => status === 'pending')).toEqual([]);
  });
}
