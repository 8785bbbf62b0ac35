import { describe, expect, it, vi } from 'vitest';
import type { Store } from '#platform/store';
import { ada, useTestHarness } from '../testing/harness.ts';
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
    await harness.untilSentOverTime(id);
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
    await harness.untilSentOverTime(whole);
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
    await harness.untilSentOverTime(id);
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
