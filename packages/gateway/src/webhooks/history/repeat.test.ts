import { expect, test } from 'vitest';
import { textEvent } from '#events/testing';
import { describeOnEachDatabase } from '#testing';
import { registerWebhook } from '../endpoints/configuration.ts';
import { COMMAND_MODULES, useDelivering } from '../testing/index.ts';
import { replayOf, startReplay } from './repeat.ts';

const HOOK = 'https://receiver.example/hook';
const DAY_MS = 86_400_000;

describeOnEachDatabase(
  'replays',
  (testStore) => {
    const given = useDelivering(testStore);

    /** Samples that were never taken, and keep what they say. */
    async function die(webhookId: string, count: number, at: number): Promise<void> {
      const event = JSON.stringify(textEvent('A1', 'Hello'));
      const rows = Array.from({ length: count }, (_, each) => ({
        account_id: given.number.accountId,
        webhook_id: webhookId,
        event_seq: null,
        event_id: `lost_${at}_${each}`,
        kind: 'message' as const,
        category: 'messages' as const,
        url: HOOK,
        size: event.length,
        status: 'dead' as const,
        queued_at: at,
        due_at: at,
        event,
      }));
      await testStore.store.transaction((trx) => trx.insertInto('deliveries').values(rows).execute());
    }

    const dayOf = (at: number) => {
      const from_unix = Math.floor(at / 1_000) - 60;
      return { what: 'dead', from_unix, to_unix: from_unix + 120 } as const;
    };

    test('that begin in the same millisecond are distinct, also from deliveries queued in it', async () => {
      await given.stopAll();
      const { harness, caller } = given;
      const { id } = await registerWebhook(harness, given.number, { messages_url: HOOK });
      const now = harness.clock.now();
      await die(id, 3, now - 3 * DAY_MS);
      await die(id, 2, now - DAY_MS);
      await given.emit('FRESH');
      const first = await startReplay(harness, caller, id, dayOf(now - 3 * DAY_MS));
      const second = await startReplay(harness, caller, id, dayOf(now - DAY_MS));
      expect(harness.clock.now()).toBe(now);
      expect(first).toMatchObject({ total: 3, waiting: 3 });
      expect(second).toMatchObject({ total: 2, waiting: 2 });
      expect(first.replay_id).not.toBe(second.replay_id);
      for (const each of [first, second])
        expect(await replayOf(harness, caller, id, each.replay_id)).toEqual(each);
    });

    test('are counted by their own webhook alone, and one that was never begun is not found', async () => {
      await given.stopAll();
      const { harness, caller } = given;
      const { id } = await registerWebhook(harness, given.number, { messages_url: HOOK });
      await die(id, 1, harness.clock.now() - DAY_MS);
      const { replay_id } = await startReplay(harness, caller, id, { what: 'dead' });
      const other = await harness.newNumber();
      const theirs = await registerWebhook(harness, other, { messages_url: HOOK });
      const stranger = { ...caller, accountId: other.accountId, phone: null };
      const unknown = { code: 'delivery_not_found' };
      await expect(replayOf(harness, stranger, theirs.id, replay_id)).rejects.toMatchObject(unknown);
      for (const made of ['rp_', 'rp_mp3k2v1c', 'dl_1', ''])
        await expect(replayOf(harness, caller, id, made)).rejects.toMatchObject(unknown);
    });

    test('of what another has queued already find nothing to do', async () => {
      await given.stopAll();
      const { harness, caller } = given;
      const { id } = await registerWebhook(harness, given.number, { messages_url: HOOK });
      await die(id, 4, harness.clock.now() - DAY_MS);
      const begun = await Promise.allSettled(
        Array.from({ length: 5 }, () => startReplay(harness, caller, id, { what: 'dead' })),
      );
      const totals = begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value.total] : []));
      expect(totals).toEqual([4]);
      for (const each of begun)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'nothing_to_replay' });
    });
  },
  'shared by all tests',
  COMMAND_MODULES,
);
