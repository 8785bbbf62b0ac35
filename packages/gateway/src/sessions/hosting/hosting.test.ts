import { describe, expect, it, vi } from 'vitest';
import { LISTENERS_TOPIC, READERS_TOPIC, type ReaderNews } from '#events';
import { setPresencePolicy } from '../session-queries.ts';
import { describeSessions } from '../testing/harness.ts';
import { connected, cut, linkedNumber } from '../testing/numbers.ts';
import type { HostAction } from '../types.ts';

describeSessions('hosting', (harness) => {
  describe('a host', () => {
    it('that stops in order hands its sessions to the next one, without an event', async () => {
      const { process, number } = await linkedNumber(harness());
      await harness().pass(4_000);
      const since = harness().clock.now();
      await process.stop();
      expect(await harness().row(number)).toMatchObject({ status: 'reconnecting', since, worker: null });
      expect(await harness().store.read.selectFrom('workers').selectAll().execute()).toEqual([]);

      const next = await harness().startProcess();
      await connected(harness(), number, 2);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
      await harness().pass(15_000);
      expect(await harness().publishedStates(number)).toEqual(['connected']);
    });

    it('that dies is followed by another after ten seconds', async () => {
      const { process, number } = await linkedNumber(harness());
      const other = await harness().startProcess();
      await harness().pass(3_000);
      expect(other.sessions.hosted.get(number.slotId)).toBeUndefined();
      process.crash();
      await harness().pass(6_000);
      expect(other.sessions.hosted.get(number.slotId)).toBeUndefined();
      await harness().pass(8_000);
      await connected(harness(), number, 2);
      expect(other.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
    });

    it('that dies alone is followed at once: no other lease can be valid', async () => {
      const { process, number } = await linkedNumber(harness(), { alone: true });
      process.crash();
      const next = await harness().startProcess({ alone: true });
      await connected(harness(), number, 2);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
    });

    it('publishes a drop that its predecessor died before publishing', async () => {
      const { process, number } = await linkedNumber(harness(), { alone: true });
      process.crash();
      await cut(harness(), number, 60_000);
      const next = await harness().startProcess({ alone: true });
      await vi.waitFor(() => expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 }));
      await harness().pass(11_000);
      await vi.waitFor(async () =>
        expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']),
      );
    });

    it('that cannot renew stops before another host may take over', async () => {
      const { process, number } = await linkedNumber(harness());
      const { worker } = (await harness().row(number)) ?? {};
      process.cutOff();
      await harness().pass(8_500);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      await harness().pass(1_500);
      expect(process.sessions.hosted.connected()).toEqual([]);
      await expect(process.worker?.check()).rejects.toThrow('worker is not usable');
      const lease = await harness()
        .store.read.selectFrom('workers')
        .selectAll()
        .where('worker', '=', worker ?? '')
        .executeTakeFirstOrThrow();
      expect(lease.lease_expires_at).toBeGreaterThan(harness().machineClock.now() - 500);
    });

    it('that stood still longer than its lease does nothing for its sessions, before any timer has fired', async () => {
      const run = vi.fn(async () => 'done');
      const greet: HostAction<null, string> = { name: 'setTyping', worksOffline: true, run };
      const { process, number } = await linkedNumber(harness(), { actions: [greet] });
      const caller = await harness().startProcess({ hosts: false });
      const { getHost, hosted } = { ...caller.sessions, hosted: process.sessions.hosted };
      expect(await getHost(number).run(greet, null)).toBe('done');
      process.freeze();
      harness().machineClock.advance(8_999);
      expect(await getHost(number).run(greet, null)).toBe('done');
      harness().machineClock.advance(1);
      expect(hosted.connected()).toEqual([]);
      expect(hosted.get(number.slotId)).toBeUndefined();
      const call = expect(getHost(number).run(greet, null)).rejects.toMatchObject({
        code: 'session_not_hosted',
      });
      let isAnswered = false;
      const answered = call.finally(() => {
        isAnswered = true;
      });
      while (!isAnswered) await harness().pass(1_000);
      await answered;
      expect(run).toHaveBeenCalledTimes(2);
    });

    it('that has the database to itself keeps everything, however long it cannot renew', async () => {
      const { process, number } = await linkedNumber(harness(), { alone: true });
      const reconnect = process.cutOff();
      await harness().pass(30_000);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      reconnect();
      await harness().pass(6_000);
      expect(await harness().row(number)).toMatchObject({ status: 'connected', fence: 1 });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({ status: 'connected' });
    });

    it('comes back under a new name and a new fence when it can renew again', async () => {
      const { process, number } = await linkedNumber(harness());
      const before = await harness().row(number);
      const reconnect = process.cutOff();
      await harness().pass(12_000);
      reconnect();
      await harness().pass(6_000);
      await connected(harness(), number, 2);
      const after = await harness().row(number);
      expect(after).toMatchObject({ fence: 2 });
      expect(after?.worker).not.toBe(before?.worker);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
    });

    it('that was overtaken writes nothing more and stops', async () => {
      const { process, number } = await linkedNumber(harness());
      await harness().store.transaction((trx) =>
        trx.updateTable('sessions').set({ fence: 7, worker: 'another' }).execute(),
      );
      await cut(harness(), number, 1_000);
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      expect(await harness().row(number)).toMatchObject({ status: 'connected', fence: 7 });
    });

    it('stops sessions assigned elsewhere when it renews, although nothing happens on the connection', async () => {
      const { process, number } = await linkedNumber(harness());
      const now = harness().machineClock.now();
      const another = { worker: 'another', started_at: now, last_seen: now, lease_expires_at: now + 60_000 };
      await harness().store.transaction(async (trx) => {
        await trx.insertInto('workers').values(another).execute();
        await trx.updateTable('sessions').set({ worker: 'another' }).execute();
      });
      await harness().pass(4_000);
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      const call = expect(process.sessions.getHost(number).groups.list()).rejects.toMatchObject({
        code: 'session_not_hosted',
      });
      await harness().pass(6_000);
      await call;
    });

    it('hosts sessions that are assigned to it in the database only', async () => {
      const { process, number } = await linkedNumber(harness());
      // As after a claim whose answer was lost.
      await harness().store.transaction((trx) => trx.updateTable('sessions').set({ fence: 7 }).execute());
      await harness().pass(12_000);
      await connected(harness(), number, 8);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 8 });
    });

    it('waits before it takes back a link that another client uses', async () => {
      const { process, number, sessionId } = await linkedNumber(harness());
      const stranger = harness().world.mailboxes.attach(sessionId, { item() {}, closed() {} });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await harness().pass(25_000);
      expect(process.sessions.hosted.get(number.slotId)).toBeUndefined();
      stranger.detach();
      await harness().pass(8_000);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 1 });
      await connected(harness(), number);
    });

    it('waits longer each time another client takes the link back', async () => {
      const { number, sessionId } = await linkedNumber(harness());
      const before = harness().world.devices.get(sessionId)?.logins ?? 0;
      const takeItBack = (): void => {
        harness().world.mailboxes.attach(sessionId, {
          item() {},
          closed: (reason) => reason === 'replaced' && queueMicrotask(takeItBack),
        });
      };
      takeItBack();
      await vi.waitFor(async () => expect(await harness().row(number)).toMatchObject({ reason: 'replaced' }));
      await harness().pass(16 * 60_000);
      expect((harness().world.devices.get(sessionId)?.logins ?? 0) - before).toBeLessThanOrEqual(6);
    });

    it('forgets the link that it rests from when the number is linked anew', async () => {
      const { process, number, sessionId } = await linkedNumber(harness());
      harness().world.mailboxes.attach(sessionId, { item() {}, closed() {} });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await harness().store.transaction((trx) => trx.deleteFrom('sessions').execute());
      const renewed = await harness().link(number, process);
      await connected(harness(), number);
      const hosted = process.sessions.hosted.get(number.slotId);
      expect(hosted).toMatchObject({ sessionId: renewed });
      await harness().pass(60_000);
      expect(process.sessions.hosted.get(number.slotId)).toBe(hosted);
    });

    it('appears online while a webhook wants typing events, or as its owner sets it', async () => {
      const { number } = await linkedNumber(harness());
      const { store, bus, world } = harness();
      const { slotId, accountId, phone } = number;
      const expectOnline = (online: boolean): Promise<void> =>
        vi.waitFor(() => expect(world.phones.get(phone).online).toBe(online));
      const choose = async (policy: 'auto' | 'available' | 'unavailable'): Promise<void> => {
        await setPresencePolicy(store, slotId, policy);
        bus.publish(LISTENERS_TOPIC, slotId);
      };
      const none = '';
      const urls = {
        messages_url: none,
        status_url: none,
        connection_url: none,
        events_url: 'https://a.example',
      };
      const secret = Buffer.alloc(1);
      await store.transaction((trx) =>
        trx
          .insertInto('webhooks')
          .values({
            id: slotId,
            account_id: accountId,
            slot_id: slotId,
            phone,
            ...urls,
            active: 1,
            extensions: none,
            secret,
            created_at: 0,
          })
          .execute(),
      );
      expect(world.phones.get(phone).online).toBe(false);
      bus.publish(LISTENERS_TOPIC, slotId);
      await expectOnline(true);
      await choose('unavailable');
      await expectOnline(false);
      await store.transaction((trx) =>
        trx.updateTable('webhooks').set({ active: 0 }).where('slot_id', '=', slotId).execute(),
      );
      await choose('available');
      await expectOnline(true);
      await choose('auto');
      await expectOnline(false);
      await store.transaction((trx) => trx.deleteFrom('webhooks').where('slot_id', '=', slotId).execute());
    });

    it('appears online while a reader wants events of online devices', async () => {
      const { number } = await linkedNumber(harness());
      const { bus, world } = harness();
      const { slotId, accountId, phone } = number;
      const expectOnline = (online: boolean): Promise<void> =>
        vi.waitFor(() => expect(world.phones.get(phone).online).toBe(online));
      const say = (news: Partial<ReaderNews>) =>
        bus.publish(READERS_TOPIC, { accountId, forMs: 60_000, ...news });
      say({ accountId: 'acc_other' });
      say({ slotId: 'slot_other' });
      await harness().pass(1_000);
      expect(world.phones.get(phone).online).toBe(false);
      say({ slotId });
      await expectOnline(true);
      await harness().pass(40_000);
      say({});
      await harness().pass(40_000);
      expect(world.phones.get(phone).online).toBe(true);
      await harness().pass(30_000);
      await expectOnline(false);
    });

    it('keeps the call setting through every change of host', async () => {
      const { process, number } = await linkedNumber(harness(), { alone: true });
      await process.sessions.autoReject.set(number, true);
      process.crash();
      const next = await harness().startProcess({ alone: true });
      await connected(harness(), number, 2);
      const caller = await harness().newNumber();
      harness().world.calls.offer({ phone: caller.phone, device: 0 }, number.phone, { video: false });
      await vi.waitFor(() =>
        expect(next.inbound).toMatchObject([{ event: { kind: 'call', event: 'offer', rejected: true } }]),
      );
      expect(await next.sessions.autoReject.read(number)).toMatchObject({ enabled: true });
    });
  });
});
