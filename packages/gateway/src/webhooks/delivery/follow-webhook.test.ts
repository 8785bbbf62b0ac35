import { beforeEach, expect, test } from 'vitest';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { registerWebhook, removeWebhook, updateWebhook } from '../endpoints/configuration.ts';
import { deliveriesOf, redeliver } from '../history/history.ts';
import { COMMAND_MODULES, useDelivering } from '../testing/index.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOOK = 'https://receiver.example/hook';

describeOnEachDatabase(
  'what is queued follows its webhook',
  defineTests,
  'shared by all tests',
  COMMAND_MODULES,
);

function defineTests(testStore: { readonly store: Store }): void {
  const given = useDelivering(testStore);
  const { emit, rows, until } = given;
  const history = (webhookId: string) => deliveriesOf(given.harness, given.caller, webhookId, { limit: 100 });
  let id: string;
  beforeEach(async () => {
    given.receivers.answer = ({ url }) => (url === HOOK ? 500 : 200);
    ({ id } = await registerWebhook(given.harness, given.number, { messages_url: HOOK }));
    await emit('A1');
    await until(async () => (await rows())[0]?.tries === 1);
  });

  test('to a new URL', async () => {
    await updateWebhook(given.harness, given.caller, id, { messages_url: 'https://new.example/' });
    given.harness.clock.advance(40 * SECOND);
    await until(async () => (await rows())[0]?.status === 'delivered');
    expect(given.receivers.received.at(-1)?.url).toBe('https://new.example/');
  });

  test('to the dead letters when its category is turned off, and from there to the next URL', async () => {
    await updateWebhook(given.harness, given.caller, id, { messages_url: '' });
    const [dead] = await history(id);
    expect(dead?.status).toBe('dead');
    await expect(redeliver(given.harness, given.caller, id, dead?.delivery_id ?? '')).rejects.toMatchObject({
      code: 'webhook_has_no_url',
    });
    await updateWebhook(given.harness, given.caller, id, { messages_url: 'https://new.example/' });
    await redeliver(given.harness, given.caller, id, dead?.delivery_id ?? '');
    await until(async () => (await rows())[0]?.status === 'delivered');
  });

  test('on hold while it is not active, when nothing new is queued either', async () => {
    await updateWebhook(given.harness, given.caller, id, {
      active: false,
      messages_url: 'https://new.example/',
    });
    await emit('A2');
    given.harness.clock.advance(10 * MINUTE);
    await until(async () => (await history(id)).every(({ status }) => status === 'pending'));
    expect(given.receivers.received).toHaveLength(1);
    await updateWebhook(given.harness, given.caller, id, { active: true });
    await until(async () => (await rows())[0]?.status === 'delivered');
    expect(given.receivers.received.map(({ headers }) => headers['X-Message-ID'])).toEqual(['A1', 'A1']);
  });

  test('on hold, also what is sent again by hand meanwhile', async () => {
    await updateWebhook(given.harness, given.caller, id, { messages_url: '' });
    const [dead] = await history(id);
    await updateWebhook(given.harness, given.caller, id, {
      messages_url: 'https://new.example/',
      paused: true,
    });
    await redeliver(given.harness, given.caller, id, dead?.delivery_id ?? '');
    expect(await rows()).toMatchObject([{ status: 'paused' }]);
    await updateWebhook(given.harness, given.caller, id, { paused: false });
    await until(async () => (await rows())[0]?.status === 'delivered');
    const [held] = await history(id);
    expect(held?.url).toBe('https://new.example/');
  });

  test('and goes with it', async () => {
    await removeWebhook(given.harness, given.caller, id);
    expect(await rows()).toEqual([]);
    given.harness.clock.advance(60 * MINUTE);
    expect(given.receivers.received).toHaveLength(1);
  });
}
