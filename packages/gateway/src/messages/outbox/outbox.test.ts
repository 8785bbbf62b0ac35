import { describe, expect, it, vi } from 'vitest';
import type { Store } from '#platform/store';
import { ada, ben, useTestHarness } from '../testing/harness.ts';
import { eventsOf, messagesOf, outboxOf } from '../testing/rows.ts';
import { settleMessage } from './write-commands.ts';

describe('the outbox', () => {
  const harness = useTestHarness();

  it('sends accepted messages and publishes their status', async () => {
    harness.start();
    const me = await harness.newSender();
    const id = await me.text('Hello');
    await harness.untilStatus(id, 'sent');
    expect(harness.world.messages.seenBy(ada)).toMatchObject([
      { id, content: { type: 'text', text: 'Hello' } },
    ]);
    expect(await outboxOf(harness.store, me.number)).toEqual([]);
    expect(await eventsOf(harness.store, me.number)).toMatchObject([
      {
        kind: 'status',
        status: 'sent',
        message_id: id,
        network_message_id: id,
        session_id: me.device.sessionId,
      },
    ]);
  });

  it('publishes the message itself on request, once, also when a receipt came first', async () => {
    const me = await harness.newSender();
    const { slotId, accountId, phone } = me.number;
    const common = {
      ...{ account_id: accountId, slot_id: slotId, phone, created_at: harness.clock.now() },
      ...{ messages_url: '', status_url: '', connection_url: '', events_url: '' },
    };
    const other = (format: string, active: number) => ({
      ...{ ...common, id: `wh_${format}_${slotId}`, format, active },
      ...{ extensions: 'groups,own_messages', options: Buffer.alloc(1) },
    });
    const own = { ...common, id: `wh_${slotId}`, active: 1, extensions: 'groups', secret: Buffer.alloc(1) };
    await harness.store.transaction(async (trx) => {
      await trx.insertInto('webhooks').values(own).execute();
      await trx.insertInto('formatted_webhooks').values(other('off', 0)).execute();
    });
    const unlistened = await me.text('Without a listener');
    harness.start();
    await harness.untilStatus(unlistened, 'sent');
    await harness.store.transaction((trx) =>
      trx.insertInto('formatted_webhooks').values(other('on', 1)).execute(),
    );
    const statuses = async () =>
      (await eventsOf(harness.store, me.number)).map(({ kind, message_id }) => [kind, message_id]);
    harness.world.faults.arm(me.device.sessionId, { kind: 'no_ack', count: 1, ms: 0 });
    const proven = await me.text('Proven');
    await vi.waitFor(() => expect(harness.textsOn(ada)).toContain('Proven'));
    await me.receipt(proven, 'delivered');
    await harness.untilStatus(proven, 'delivered');
    const acknowledged = await me.text('Acknowledged');
    await vi.waitFor(async () => {
      harness.clock.advance(1_000);
      expect(await statuses()).toHaveLength(5);
    });
    expect(await statuses()).toEqual([
      ['status', unlistened],
      ['status', proven],
      ['message', proven],
      ['status', acknowledged],
      ['message', acknowledged],
    ]);
  });

  it('reads the queue once for a single message, and sends what is queued meanwhile', async () => {
    const me = await harness.newSender();
    const asked = vi.spyOn(harness.store.read, 'executeQuery');
    harness.start();
    const first = await me.text('First');
    await harness.untilStatus(first, 'sent');
    const looks = () =>
      asked.mock.calls.filter(([query]) => 'sql' in query && query.sql.includes('from "outbox"')).length;
    const before = looks();
    await harness.untilStatus(await me.text('Second'), 'sent');
    expect(looks() - before).toBe(1);
    const ids = await Promise.all(['Third', 'Fourth', 'Fifth'].map((text) => me.text(text)));
    for (const id of ids) await harness.untilStatus(id, 'sent');
    asked.mockRestore();
  });

  it('sends messages accepted before its start', async () => {
    const me = await harness.newSender();
    const id = await me.text('Accepted before the start');
    harness.start();
    await harness.untilStatus(id, 'sent');
    expect(harness.textsOn(ada)).toContain('Accepted before the start');
  });

  it('finds messages whose wake-up was lost', async () => {
    const me = await harness.newSender();
    harness.start();
    const id = await me.send({ to: ada, text: 'Hello' }, { publish: () => {} });
    await untilSentOverTime(id);
  });

  it('sends messages at once that were accepted before the clock was set back', async () => {
    const me = await harness.newSender();
    const acceptedAt = harness.clock.now();
    const id = await me.text('Accepted before the clock was set back');
    await harness.store.transaction((trx) =>
      trx
        .updateTable('outbox')
        .set({ due_at: harness.clock.now() + 3_600_000 })
        .where('message_id', '=', id)
        .execute(),
    );
    harness.start();
    await harness.untilStatus(id, 'sent');
    expect(harness.textsOn(ada)).toContain('Accepted before the clock was set back');
    expect(harness.clock.now() - acceptedAt).toBeLessThan(3_600_000);
  });

  it('sends in order and one at a time per number, and numbers in parallel', async () => {
    const [slow, quick] = [await harness.newSender(), await harness.newSender()];
    harness.world.faults.arm(slow.device.sessionId, { kind: 'slow', count: 1, ms: 10_000 });
    const inFlight = watchSends(slow.number.slotId);
    const texts = Array.from({ length: 8 }, (_, index) => `slow ${index}`);
    const ids = [];
    for (const text of texts) ids.push(await slow.text(text));
    harness.start();
    const last = await quick.text('quick');
    await harness.untilStatus(last, 'sent');
    await vi.waitFor(() => expect(harness.textsOn(ada).toSorted()).toEqual(['quick', 'slow 0']));

    harness.clock.advance(10_000);
    await harness.untilStatus(ids.at(-1) ?? '', 'sent');
    expect(harness.textsOn(ada).filter((text) => text.startsWith('slow'))).toEqual(texts);
    expect(inFlight.most()).toBe(1);
    const events = await eventsOf(harness.store, slow.number);
    expect(events.map(({ message_id }) => message_id)).toEqual(ids);
  });

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
      await untilSentOverTime(id);
      expect(harness.textsOn(ada)).toEqual(['Hello']);
      expect(await eventsOf(harness.store, me.number)).toMatchObject([{ status: 'sent' }]);
    });

    it('sends the same id again when no ack came, and the phone drops the copy', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'no_ack', count: 1, ms: 0 });
      const id = await me.text('Hello');
      harness.start();
      await vi.waitFor(() => expect(harness.textsOn(ada)).toEqual(['Hello']));
      await untilSentOverTime(id);
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
      await untilSentOverTime(behind);
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
      await untilSentOverTime(id);
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

  it('continues behind a message that it cannot handle', async () => {
    const me = await harness.newSender();
    const [broken, whole] = [await me.text('broken'), await me.text('whole')];
    await harness.store.transaction((trx) =>
      trx
        .updateTable('outbox')
        .set({ sealed: Buffer.alloc(60, 1) })
        .where('message_id', '=', broken)
        .execute(),
    );
    harness.start();
    await untilSentOverTime(whole);
    await harness.untilStatus(broken, 'failed');
    expect(harness.troubles).toHaveLength(5);
    expect(harness.textsOn(ada)).toEqual(['whole']);
  });

  it('continues after the database was out of reach', async () => {
    const me = await harness.newSender();
    let failures = 2;
    const shaky: Store = {
      ...harness.store,
      run: (command, item) => {
        if (failures-- > 0) return Promise.reject(new Error('the database is out of reach'));
        return harness.store.run(command, item);
      },
    };
    const id = await me.text('Hello');
    harness.start(shaky);
    await untilSentOverTime(id);
    expect(harness.troubles).toHaveLength(2);
    expect(harness.world.phones.get(ada).duplicatesDropped).toBe(2);
    expect(await eventsOf(harness.store, me.number)).toHaveLength(1);
  });

  it('repeats the id after a crash between ack and commit; the phone drops the copy and one event is published', async () => {
    const me = await harness.newSender();
    const dying: Store = {
      ...harness.store,
      run: (command, item) =>
        command.name === settleMessage.name ? new Promise(() => {}) : harness.store.run(command, item),
    };
    harness.start(dying);
    const id = await me.text('Hello');
    await vi.waitFor(() => expect(harness.textsOn(ada)).toEqual(['Hello']));
    expect(await messagesOf(harness.store, me.number)).toMatchObject([{ id, status: 'accepted' }]);

    await harness.takeOver();
    harness.start();
    await harness.untilStatus(id, 'sent');
    expect(harness.textsOn(ada)).toEqual(['Hello']);
    expect(harness.world.phones.get(ada).duplicatesDropped).toBe(1);
    expect(await eventsOf(harness.store, me.number)).toMatchObject([{ status: 'sent', message_id: id }]);
  });

  it('leaves a message to the host that has taken over', async () => {
    const me = await harness.newSender();
    harness.world.faults.arm(me.device.sessionId, { kind: 'slow', count: 1, ms: 1_000 });
    const sends = watchSends(me.number.slotId);
    const conclusions = vi.fn();
    harness.start({
      ...harness.store,
      run: (command, item) => harness.store.run(command, item).finally(() => conclusions(command.name)),
    });
    const id = await me.text('Hello');
    await vi.waitFor(() => expect(harness.textsOn(ada)).toEqual(['Hello']));
    await harness.store.transaction((trx) =>
      trx.updateTable('sessions').set({ fence: 7 }).where('slot_id', '=', me.number.slotId).execute(),
    );
    // It wakes the lane, which runs once more after the send under way.
    const behind = await me.text('Goodbye');
    harness.clock.advance(1_000);
    await vi.waitFor(() => expect(conclusions).toHaveBeenCalledExactlyOnceWith(settleMessage.name));
    // Time enough for another attempt, which must not happen.
    for (let look = 0; look < 20; look++) await outboxOf(harness.store, me.number);
    expect(sends.count()).toBe(1);
    expect(await messagesOf(harness.store, me.number)).toMatchObject([
      { id, status: 'accepted' },
      { id: behind, status: 'accepted' },
    ]);
    expect(await eventsOf(harness.store, me.number)).toEqual([]);
  });

  it('stops promptly although the network is silent, and starts no more sends', async () => {
    const me = await harness.newSender();
    harness.world.faults.arm(me.device.sessionId, { kind: 'no_ack', count: 1, ms: 0 });
    const outbox = harness.start();
    await me.text('first');
    await me.text('second');
    await vi.waitFor(() => expect(harness.textsOn(ada)).toEqual(['first']));
    const stopped = outbox.stop();
    harness.clock.advance(1_000);
    await stopped;
    harness.clock.advance(60_000);
    expect(harness.textsOn(ada)).toEqual(['first']);
    expect(await outboxOf(harness.store, me.number)).toHaveLength(2);
    expect(harness.troubles).toEqual([]);
  });

  /** Advances time until the message is sent. */
  async function untilSentOverTime(messageId: string): Promise<void> {
    const message = harness.store.read.selectFrom('messages').select('status').where('id', '=', messageId);
    const look = async (): Promise<void> => {
      harness.clock.advance(2_000);
      expect(await message.executeTakeFirst()).toEqual({ status: 'sent' });
    };
    await vi.waitFor(look, { timeout: 10_000, interval: 5 });
  }

  /** Counts the sends of a number, and its parallel sends. */
  function watchSends(slotId: string) {
    const session = harness.hosted.get(slotId)?.session;
    if (!session) throw new Error('the number is not hosted');
    const { send } = session;
    let count = 0;
    let now = 0;
    let most = 0;
    vi.spyOn(session, 'send').mockImplementation(async (message) => {
      count += 1;
      now += 1;
      most = Math.max(most, now);
      await send(message).finally(() => {
        now -= 1;
      });
    });
    return { most: () => most, count: () => count };
  }
});
