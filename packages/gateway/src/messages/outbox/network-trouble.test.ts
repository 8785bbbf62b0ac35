import { describe, expect, it, vi } from 'vitest';
import { ada, ben, useTestHarness } from '../testing/harness.ts';
import { eventsOf, messagesOf, outboxOf } from '../testing/rows.ts';

describe('the outbox', () => {
  const harness = useTestHarness();

  describe('when the network is in trouble', () => {
    it('retries after about 1, 5, 15 and 60 seconds, then fails the message', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'send_transient', count: 5, ms: 0 });
      const [first, second] = [await me.text('first'), await me.text('second')];
      harness.start();
      for (const [attempts, seconds] of [
        [1, 1],
        [2, 5],
        [3, 15],
        [4, 60],
      ] as const) {
        await untilAttempts(attempts);
        const pause = (await head())?.due_at ?? 0;
        const wait = pause - harness.clock.now();
        expect(wait).toBeGreaterThanOrEqual(seconds * 900);
        expect(wait).toBeLessThanOrEqual(seconds * 1_100);
        expect(harness.textsOn(ada)).toEqual([]);
        harness.clock.advance(wait);
      }
      await harness.untilStatus(first, 'failed');
      await harness.untilStatus(second, 'sent');
      expect(harness.textsOn(ada)).toEqual(['second']);
      const [event] = await eventsOf(harness.store, me.number);
      expect(event).toMatchObject({
        message_id: first,
        status: 'failed',
        reason: 'RETRIES_EXHAUSTED',
        detail: 'The network is busy.',
      });
      expect(event).not.toHaveProperty('network_message_id');

      async function head() {
        return (await outboxOf(harness.store, me.number))[0];
      }
      async function untilAttempts(attempts: number): Promise<void> {
        await vi.waitFor(async () => expect((await head())?.attempts).toBe(attempts));
      }
    });

    it('succeeds on a later attempt without an event for the earlier ones', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'send_transient', count: 2, ms: 0 });
      const id = await me.text('Hello');
      harness.start();
      await harness.untilSentOverTime(id);
      expect(harness.textsOn(ada)).toEqual(['Hello']);
      expect(await eventsOf(harness.store, me.number)).toMatchObject([{ status: 'sent' }]);
    });

    it('sends the same id again when no ack came, and the phone drops the copy', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'no_ack', count: 1, ms: 0 });
      const id = await me.text('Hello');
      harness.start();
      await vi.waitFor(() => expect(harness.textsOn(ada)).toEqual(['Hello']));
      await harness.untilSentOverTime(id);
      expect(harness.textsOn(ada)).toEqual(['Hello']);
      expect(harness.world.phones.get(ada).duplicatesDropped).toBe(1);
    });

    it('publishes no failure once a receipt has proved the arrival, however often the ack was lost', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'no_ack', count: 5, ms: 0 });
      harness.start();
      const [id, behind] = [await me.text('first'), await me.text('second')];
      await vi.waitFor(() => expect(harness.textsOn(ada)).toEqual(['first']));
      await me.receipt(id, 'delivered');
      await me.receipt(id, 'read');
      await harness.untilSentOverTime(behind);
      expect(harness.textsOn(ada)).toEqual(['first', 'second']);
      const events = await eventsOf(harness.store, me.number);
      expect(events.filter(({ message_id }) => message_id === id)).toMatchObject([{ status: 'sent' }]);
      expect(events.map(({ status }) => status)).toEqual(['sent', 'sent']);
    });

    it('continues behind a message that a receipt has settled between two attempts', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'send_transient', count: 1, ms: 0 });
      harness.start();
      const [id, behind] = [await me.text('first'), await me.text('second')];
      await vi.waitFor(async () =>
        expect(await outboxOf(harness.store, me.number)).toMatchObject([{ attempts: 1 }, {}]),
      );
      await me.receipt(id, 'delivered');
      await harness.untilStatus(behind, 'sent');
      expect(harness.textsOn(ada)).toEqual(['second']);
    });

    it('waits without counting an attempt while there is no connection', async () => {
      const me = await harness.newSender();
      harness.start();
      harness.world.faults.arm(me.device.sessionId, { kind: 'disconnect', count: 1, ms: 120_000 });
      await vi.waitFor(() => expect(harness.hosted.connected()).toEqual([]));
      const id = await me.text('Hello');
      for (let second = 0; second < 110; second += 10) harness.clock.advance(10_000);
      expect(await outboxOf(harness.store, me.number)).toMatchObject([{ attempts: 0 }]);
      await harness.untilSentOverTime(id);
      expect(harness.textsOn(ada)).toEqual(['Hello']);
    });

    it('fails a message at once that the network refuses for good', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'send_permanent', count: 1, ms: 0 });
      const id = await me.text('Hello');
      harness.start();
      await harness.untilStatus(id, 'failed');
      expect(await messagesOf(harness.store, me.number)).toMatchObject([{ reason: 'SEND_FAILED' }]);
    });

    it('reports a recipient who is not on the network', async () => {
      const me = await harness.newSender();
      harness.start();
      const id = await me.text('Hello', '15559999999');
      await harness.untilStatus(id, 'failed');
      expect(await eventsOf(harness.store, me.number)).toMatchObject([
        { status: 'failed', reason: 'INVALID_RECIPIENT', to: '15559999999@s.whatsapp.net' },
      ]);
    });

    it('fails messages to a group without the number', async () => {
      const me = await harness.newSender();
      const { group } = harness.world.groups.create(
        { phone: ada, device: 0 },
        { name: 'Ours', participants: [ben] },
      );
      harness.start();
      const id = await me.text('Hello', group.jid);
      await harness.untilStatus(id, 'failed');
      expect(await messagesOf(harness.store, me.number)).toMatchObject([{ reason: 'SEND_FAILED' }]);
    });
  });
});
