import { expect, test, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createLocalBus } from '#platform/bus';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { COMMAND_MODULES, createHarness } from '../testing/index.ts';
import { registerWebhook, removeWebhook } from './configuration.ts';
import { createEndpointCache, WEBHOOKS_TOPIC } from './endpoint-cache.ts';

const SECOND = 1_000;

describeOnEachDatabase('known webhooks', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  async function setUp() {
    const harness = createHarness(testStore.store);
    const register = async () => {
      const number = await harness.newNumber();
      const { id } = await registerWebhook(harness, number, { messages_url: 'https://receiver.example/' });
      const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
      return { id, number, remove: () => removeWebhook(harness, caller, id) };
    };
    const clock = createSteppedClock();
    const bus = createLocalBus({ clock });
    const selectFrom = vi.spyOn(testStore.store.read, 'selectFrom');
    const { sealedBox } = harness;
    const cache = createEndpointCache({ store: testStore.store, bus, sealedBox, clock });
    return { register, cache, clock, bus, selectFrom };
  }

  test('are read once in five seconds, each for itself', async () => {
    const { register, cache, clock, selectFrom } = await setUp();
    const [one, other] = [await register(), await register()];
    selectFrom.mockClear();
    for (let turn = 0; turn < 3; turn++)
      for (const { id, number } of [one, other])
        expect(await cache.find(id)).toMatchObject({ id, slotId: number.slotId, active: true });
    expect(selectFrom).toHaveBeenCalledTimes(2);
    clock.advance(5 * SECOND - 1);
    expect(cache.find(one.id)).not.toBeInstanceOf(Promise);
    clock.advance(1);
    expect(await cache.find(one.id)).toMatchObject({ id: one.id });
    expect(selectFrom).toHaveBeenCalledTimes(3);
    selectFrom.mockRestore();
    cache.close();
  });

  test('are read anew when another process says that they have changed', async () => {
    const { register, cache, bus, selectFrom } = await setUp();
    const { id, remove } = await register();
    expect(await cache.find(id)).toMatchObject({ id });
    await remove();
    expect(cache.find(id)).toMatchObject({ id });
    bus.publish(WEBHOOKS_TOPIC, id);
    await vi.waitFor(async () => expect(await cache.find(id)).toBeUndefined());
    selectFrom.mockRestore();
    cache.close();
  });

  test('are asked for again after a reading that failed', async () => {
    const { register, cache, selectFrom } = await setUp();
    const { id } = await register();
    selectFrom.mockImplementationOnce(() => {
      throw new Error('out of reach');
    });
    await expect(cache.find(id)).rejects.toThrow('out of reach');
    expect(await cache.find(id)).toMatchObject({ id });
    selectFrom.mockRestore();
    cache.close();
  });
}
