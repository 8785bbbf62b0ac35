import type { Pacing } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import { noteHealth } from '#health';
import { NetworkError } from '#network';
import { databaseNames, watchStore } from '#testing';
import { ada, ben, type Sender, useTestHarness } from '../testing/harness.ts';
import { eventsOf, messagesOf, outboxOf } from '../testing/rows.ts';

const GAP_S = 4;
const busy = () => new NetworkError('transient', 'The network names no device of the recipient.');
const tooMany = () => new NetworkError('transient', 'The network could not do it.', { code: 429 });

describe.each(databaseNames)('a message that waits for its retry (%s)', (database) => {
  const harness = useTestHarness(database);

  /** The network refuses messages to some phones; returns every attempt, with its time. */
  function refuse({ number }: Sender, refusal: (phone: string) => NetworkError | undefined) {
    const session = harness.hosted.get(number.slotId)?.session;
    if (!session) throw new Error('the number is not hosted');
    const { send } = session;
    const attempts: { readonly to: string; readonly at: number }[] = [];
    vi.spyOn(session, 'send').mockImplementation(async (message) => {
      const to = message.to?.split('@')[0] ?? '';
      attempts.push({ to, at: harness.clock.now() });
      const error = refusal(to);
      if (error) throw error;
      await send(message);
    });
    return attempts;
  }

  /** Steps while the message is due: the lane may have set its timer after the last step. */
  const untilAttempts = (me: Sender, attempts: number) =>
    vi.waitFor(async () => {
      const [head] = await outboxOf(harness.store, me.number);
      if (head && head.attempts > 0 && head.due_at <= harness.clock.now()) harness.clock.advance(1_000);
      expect(head).toMatchObject({ attempts });
    });

  /** Steps, for the same reason. */
  const untilSent = (me: Sender, id: string) =>
    vi.waitFor(async () => {
      harness.clock.advance(1_000);
      const sent = (await messagesOf(harness.store, me.number)).filter(({ status }) => status === 'sent');
      expect(sent.map((message) => message.id)).toContain(id);
    });

  async function untilDue(me: Sender): Promise<void> {
    const [head] = await outboxOf(harness.store, me.number);
    harness.clock.advance((head?.due_at ?? 0) - harness.clock.now());
  }

  it('holds back later messages of its chat, and no other chat', async () => {
    const me = await harness.newSender();
    let isBusy = true;
    refuse(me, (phone) => (phone === ada && isBusy ? busy() : undefined));
    const first = await me.text('first');
    const second = await me.text('second');
    harness.start();
    await untilAttempts(me, 1);
    const before = harness.clock.now();
    for (const text of ['one', 'two']) await harness.untilStatus(await me.text(text, ben), 'sent');
    expect(harness.clock.now()).toBe(before);
    expect(harness.textsOn(ben)).toEqual(['one', 'two']);
    await untilDue(me);
    await untilAttempts(me, 2);
    await harness.untilStatus(await me.text('three', ben), 'sent');
    expect(harness.textsOn(ada)).toEqual([]);

    isBusy = false;
    await untilDue(me);
    await untilSent(me, second);
    expect(harness.textsOn(ada)).toEqual(['first', 'second']);
    const ended = (await eventsOf(harness.store, me.number)).map(({ message_id, status }) => [
      message_id,
      status,
    ]);
    expect(ended.slice(-2)).toEqual([
      [first, 'sent'],
      [second, 'sent'],
    ]);
    expect(ended).toHaveLength(5);
  });

  it('holds back its chat under the other address of the person too', async () => {
    const me = await harness.newSender();
    refuse(me, (phone) => (phone === ada ? busy() : undefined));
    await me.text('first');
    const lid = `${harness.world.phones.get(ada).lid}@lid`;
    await me.text('second', lid);
    harness.start();
    await untilAttempts(me, 1);
    await harness.untilStatus(await me.text('elsewhere', ben), 'sent');
    expect(harness.textsOn(ada)).toEqual([]);
  });

  it('holds back no other chat, however many messages of its own wait', async () => {
    const me = await harness.newSender();
    refuse(me, (phone) => (phone === ada ? busy() : undefined));
    for (let n = 0; n < 230; n++) {
      if (n % 50 === 49) harness.clock.advance(61_000);
      await me.text(`text ${n}`);
    }
    const behind = await me.text('elsewhere', ben);
    harness.start();
    await harness.untilStatus(behind, 'sent');
    expect(harness.textsOn(ada)).toEqual([]);
  });

  it('keeps its due time, and the order of its chat, when another process takes over', async () => {
    const me = await harness.newSender();
    refuse(me, (phone) => (phone === ada ? busy() : undefined));
    const first = await me.text('first');
    const second = await me.text('second');
    const outbox = harness.start();
    for (const attempts of [1, 2, 3]) {
      await untilAttempts(me, attempts);
      if (attempts < 3) await untilDue(me);
    }
    const [waiting] = await outboxOf(harness.store, me.number);
    await outbox.stop();
    await harness.takeOver();
    const attempts = refuse(me, () => undefined);
    harness.start();
    await harness.untilStatus(await me.text('elsewhere', ben), 'sent');
    harness.clock.advance((waiting?.due_at ?? 0) - harness.clock.now() - 1);
    await harness.untilStatus(await me.text('still elsewhere', ben), 'sent');
    expect(attempts.map(({ to }) => to)).toEqual([ben, ben]);
    expect(await outboxOf(harness.store, me.number)).toMatchObject([
      { message_id: first, attempts: 3, due_at: waiting?.due_at },
      { message_id: second, attempts: 0 },
    ]);
    await untilSent(me, second);
    expect(harness.textsOn(ada)).toEqual(['first', 'second']);
  });

  it('holds back the whole number when the network says that it sends too much, also after a restart', async () => {
    const me = await harness.newSender();
    let isTooMuch = true;
    refuse(me, (phone) => {
      if (phone === ada) return busy();
      return isTooMuch ? tooMany() : undefined;
    });
    await me.text('hello');
    const refused = await me.text('hello', ben);
    const outbox = harness.start();
    await vi.waitFor(async () =>
      expect(await outboxOf(harness.store, me.number)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]),
    );
    await outbox.stop();
    const cleo = '15550002003';
    harness.world.phones.create(cleo, { name: 'Cleo' });
    const elsewhere = await me.text('hello', cleo);
    const due = (await outboxOf(harness.store, me.number)).find(({ message_id }) => message_id === refused);
    isTooMuch = false;
    await harness.takeOver();
    const attempts = refuse(me, () => undefined);
    harness.start();
    for (let look = 0; look < 20; look++) await outboxOf(harness.store, me.number);
    harness.clock.advance((due?.due_at ?? 0) - harness.clock.now() - 1);
    for (let look = 0; look < 20; look++) await outboxOf(harness.store, me.number);
    expect(attempts).toEqual([]);
    await untilSent(me, elsewhere);
    await untilSent(me, refused);
  });

  it('slows the number down while the network fails for everyone, and sends what is left when it recovers', async () => {
    const me = await harness.newSender();
    const phones = Array.from({ length: 40 }, (_, index) => String(15_550_004_000 + index));
    for (const phone of phones) harness.world.phones.create(phone, { name: phone });
    let isDown = true;
    const attempts = refuse(me, () => (isDown ? busy() : undefined));
    for (const phone of phones) await me.text('Spring is here', phone);
    const store = watchStore(harness.store);
    harness.start(store);
    const pass = async (seconds: number): Promise<void> => {
      for (let passed = 0; passed < seconds; passed += 2) {
        await store.untilQuiet();
        harness.clock.advance(2_000);
      }
    };
    await pass(10 * 60);
    const lost = (await messagesOf(harness.store, me.number)).filter(({ status }) => status === 'failed');
    expect(attempts.length).toBeLessThan(40);
    expect(lost.length).toBeLessThan(8);

    isDown = false;
    await pass(5 * 60);
    const ended = await messagesOf(harness.store, me.number);
    expect(ended.filter(({ status }) => status === 'sent')).toHaveLength(phones.length - lost.length);
  });

  it('lets others leave within seconds although the first chats of the queue all fail', async () => {
    const me = await harness.newSender();
    const phones = Array.from({ length: 12 }, (_, index) => String(15_550_005_000 + index));
    for (const phone of phones) harness.world.phones.create(phone, { name: phone });
    const failing = new Set(phones.slice(0, 6));
    refuse(me, (phone) => (failing.has(phone) ? busy() : undefined));
    for (const phone of phones) await me.text('Spring is here', phone);
    const store = watchStore(harness.store);
    harness.start(store);
    for (let seconds = 0; seconds < 20; seconds++) {
      await store.untilQuiet();
      harness.clock.advance(1_000);
    }
    const ended = await messagesOf(harness.store, me.number);
    const sent = ended.filter(({ status }) => status === 'sent').map(({ to_jid }) => to_jid.split('@')[0]);
    expect(sent).toEqual(phones.slice(6));
  });

  const campaign = async (recipients: number): Promise<void> => {
    const me = await harness.newSender();
    const pacing = JSON.stringify({
      gap_min_seconds: GAP_S,
      gap_max_seconds: GAP_S,
    } satisfies Partial<Pacing>);
    const { accountId, slotId } = me.number;
    const note = { accountId, slotId, sessionId: me.device.sessionId, at: harness.clock.now(), fence: null };
    const signals = [{ kind: 'reachout_lock', active: false }] as const;
    await harness.store.run(noteHealth, { ...note, signals });
    await harness.store.transaction((trx) =>
      trx.updateTable('number_health').set({ pacing }).where('slot_id', '=', slotId).execute(),
    );
    const phones = Array.from({ length: recipients }, (_, index) => String(15_550_003_000 + index));
    const failing = new Set(phones.filter((_, index) => index % 10 === 3));
    for (const phone of phones) harness.world.phones.create(phone, { name: phone });
    const attempts = refuse(me, (phone) => (failing.has(phone) ? busy() : undefined));
    for (const [index, phone] of phones.entries()) {
      // The limits allow so many without a pause.
      if (index % 50 === 49) harness.clock.advance(61_000);
      await me.text('Spring is here', phone);
    }
    const startedAt = harness.clock.now();
    const store = watchStore(harness.store);
    harness.start(store);
    for (let seconds = 0; (await outboxOf(harness.store, me.number)).length > 0; seconds += 10) {
      expect(seconds).toBeLessThan(20 * 60);
      for (let second = 0; second < 10; second++) {
        await store.untilQuiet();
        harness.clock.advance(1_000);
      }
    }

    const sentAt = attempts.filter(({ to }) => !failing.has(to)).map(({ at }) => at - startedAt);
    const lastSentS = Math.max(...sentAt) / 1_000;
    console.log(
      `${database}: ${sentAt.length} of ${recipients} recipients in ${lastSentS} s at one per ${GAP_S} s; ${attempts.length} attempts`,
    );
    expect(sentAt).toHaveLength(recipients - failing.size);
    // One gap between two of them, and nothing else.
    expect(lastSentS).toBe((recipients - failing.size - 1) * GAP_S);
    const ended = await messagesOf(harness.store, me.number);
    const reasons = ended.map(({ to_jid, status, reason }) => [to_jid.split('@')[0], status, reason]);
    expect(reasons).toEqual(
      phones.map((phone) =>
        failing.has(phone) ? [phone, 'failed', 'RETRIES_EXHAUSTED'] : [phone, 'sent', null],
      ),
    );
    expect(attempts).toHaveLength(recipients + failing.size * 4);
    expect(await eventsOf(harness.store, me.number)).toHaveLength(recipients);
  };

  it('is one in ten of a campaign of 40: the others leave at the pace of the number', async () => {
    await campaign(40);
  });
  it('is one in ten of a campaign of 200', { tags: 'nightly', timeout: 120_000 }, async () => {
    await campaign(200);
  });
});
