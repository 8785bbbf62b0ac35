import type { Extension } from '@parley/contract';
import { beforeEach, expect, test } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { registerWebhook, setFormattedWebhook, updateWebhook } from '#webhooks';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { countOfAsking, isAskedFor } from './event-log-queries.ts';

const HOOK = 'https://receiver.example/hook';

describeOnEachDatabase('what webhooks ask for', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  let harness: TestHarness;
  let number: OwnedNumber;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    number = await harness.newNumber();
  });

  async function asked(extension: Extension, { slotId } = number) {
    const { store } = testStore;
    const counted = await store.read
      .selectFrom('devices as outbox')
      .select(countOfAsking('outbox.slot_id', extension).as('count'))
      .where('slot_id', '=', slotId)
      .executeTakeFirst();
    return { is: await isAskedFor(store, slotId, extension), count: Number(counted?.count) };
  }
  const caller = () => ({ accountId: number.accountId, permissions: null, phone: null, blocked: null });

  test('is what the active ones of a number ask for, in whatever format', async () => {
    const stranger = await harness.newNumber();
    await registerWebhook(harness, stranger, { messages_url: HOOK, extensions: ['own_messages'] });
    expect(await asked('own_messages')).toEqual({ is: false, count: 0 });

    const { id } = await registerWebhook(harness, number, { messages_url: HOOK });
    expect(await asked('own_messages')).toEqual({ is: false, count: 0 });
    await updateWebhook(harness, caller(), id, { extensions: ['health', 'own_messages'] });
    expect(await asked('own_messages')).toEqual({ is: true, count: 1 });
    expect(await asked('groups')).toEqual({ is: false, count: 0 });

    const extensions: readonly Extension[] = ['own_messages'];
    const formatted = { urls: { messages_url: HOOK }, active: true, options: '', extensions };
    await setFormattedWebhook(harness, number, 'spoken', formatted);
    expect(await asked('own_messages')).toEqual({ is: true, count: 2 });
    await updateWebhook(harness, caller(), id, { active: false });
    expect(await asked('own_messages')).toEqual({ is: true, count: 1 });
    expect(await asked('health')).toEqual({ is: false, count: 0 });
    await setFormattedWebhook(harness, number, 'spoken', { ...formatted, active: false });
    expect(await asked('own_messages')).toEqual({ is: false, count: 0 });
  });
}
