import { userJid } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import { LISTENERS_TOPIC } from '#event-log';
import type { OwnedNumber } from '#http';
import { setPresencePolicy } from '../store.ts';
import { describeSessions, type TestHarness } from '../testing/harness.ts';

/** Cuts the connection and keeps the network from taking it up again for so long. */
async function cut(harness: TestHarness, number: OwnedNumber, ms: number): Promise<void> {
  const row = await harness.row(number);
  harness.world.faults.arm(row?.session_id ?? '', { kind: 'disconnect', count: 1, ms });
}

async function lastEvent({ store }: TestHarness): Promise<unknown> {
  const event = await store.read
    .selectFrom('events')
    .select('body')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return JSON.parse(event.body);
}

const connected = (harness: TestHarness, number: OwnedNumber, fence = 1) =>
  vi.waitFor(async () => expect(await harness.row(number)).toMatchObject({ status: 'connected', fence }));

describeSessions('hosting', (harness) => {
  async function linked(options?: Parameters<TestHarness['startProcess']>[0]) {
    const process = await harness().startProcess(options);
    const number = await harness().newNumber();
    const sessionId = await harness().link(number, process);
    await connected(harness(), number);
    return { process, number, sessionId };
  }

  describe('a connection', () => {
    it('is told once when it comes up', async () => {
      const { process, number, sessionId } = await linked();
      expect(await harness().told(number)).toEqual(['connected']);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ number, sessionId, fence: 1 });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({
        sessionId,
        status: 'connected',
      });
    });

    it('that drops for less than ten seconds changes its status and tells nobody', async () => {
      const { process, number } = await linked();
      await cut(harness(), number, 5_000);
      await harness().pass(1_000);
      expect(await harness().row(number)).toMatchObject({ status: 'reconnecting' });
      expect(process.sessions.hosted.connected()).toEqual([]);

      await harness().pass(8_000);
      await connected(harness(), number);
      await harness().pass(15_000);
      expect(await harness().told(number)).toEqual(['connected']);
    });

    it('that stays away is told after ten seconds, as of the moment it was lost, and once more when it is back', async () => {
      const { number } = await linked();
      const lostAt = harness().clock.now();
      await cut(harness(), number, 60_000);
      await harness().pass(9_500);
      expect(await harness().told(number)).toEqual(['connected']);
      await harness().pass(1_000);
      await vi.waitFor(async () =>
        expect(await harness().told(number)).toEqual(['connected', 'disconnected']),
      );
      expect(await lastEvent(harness())).toMatchObject({
        timestamp_unix: lostAt / 1_000,
        reason: 'connection_lost',
      });

      await harness().pass(120_000);
      await vi.waitFor(async () =>
        expect(await harness().told(number)).toEqual(['connected', 'disconnected', 'connected']),
      );
    });

    it('is offline after five minutes, and connected again without help', async () => {
      const { process, number } = await linked();
      await cut(harness(), number, 6 * 60_000);
      const find = () => process.sessions.states.find(number.slotId);
      await harness().pass(4 * 60_000);
      expect(await find()).toMatchObject({ status: 'reconnecting' });
      await harness().pass(65_000);
      expect(await find()).toMatchObject({ status: 'offline' });
      await harness().pass(3 * 60_000);
      expect(await find()).toMatchObject({ status: 'connected' });
    });

    it('is over at once when the phone unlinks it', async () => {
      const { process, number, sessionId } = await linked();
      harness().world.devices.unlink(sessionId);
      await vi.waitFor(async () => expect(await harness().told(number)).toEqual(['connected', 'logged_out']));
      expect(await harness().row(number)).toMatchObject({ status: 'logged_out', worker: null });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await harness().pass(10_000);
      expect(await harness().row(number)).toMatchObject({ status: 'logged_out', worker: null, fence: 1 });
    });

    it.each([
      [403, 'locked'],
      [406, 'banned'],
    ])('is over when the network refuses it for good (%i), and says why', async (code, reason) => {
      const { process, number, sessionId } = await linked();
      harness().world.faults.arm(sessionId, { kind: 'refuse_login', count: 1, ms: 0, code });
      await harness().pass(4_000);
      await vi.waitFor(async () => expect(await harness().told(number)).toEqual(['connected', 'logged_out']));
      expect(await harness().row(number)).toMatchObject({ status: 'logged_out', reason, worker: null });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({
        status: 'logged_out',
        why: { reason, detail: expect.any(String), until: null },
      });
    });

    it('that the network bans for a time is offline at once, is told with reason and end, and comes back by itself', async () => {
      const { process, number } = await linked();
      const find = () => process.sessions.states.find(number.slotId);
      harness().world.sanctions.ban(number.phone, { code: 101, seconds: 600 });
      await harness().pass(6_000);
      await vi.waitFor(async () =>
        expect(await harness().told(number)).toEqual(['connected', 'disconnected']),
      );
      const until = expect.any(Number);
      expect(await find()).toMatchObject({
        status: 'offline',
        why: { reason: 'temporarily_banned', until },
      });
      expect(await lastEvent(harness())).toMatchObject({
        event: 'disconnected',
        reason: 'temporarily_banned',
        detail: expect.any(String),
        until_unix: until,
      });

      await harness().pass(610_000);
      await connected(harness(), number);
      expect(await harness().told(number)).toEqual(['connected', 'disconnected', 'connected']);
      expect(await harness().row(number)).toMatchObject({ reason: null, reason_until: null });
      expect(await lastEvent(harness())).not.toHaveProperty('reason');
    });

    it('that is banned stays so with the next host, who neither knocks nor tells it again', async () => {
      const { process, number, sessionId } = await linked({ alone: true });
      harness().world.sanctions.ban(number.phone, { code: 102, seconds: 600 });
      await harness().pass(6_000);
      await vi.waitFor(async () =>
        expect(await harness().row(number)).toMatchObject({ reason: 'temporarily_banned' }),
      );
      const before = await harness().row(number);
      const { logins } = harness().world.devices.get(sessionId) ?? {};
      process.crash();
      const next = await harness().startProcess({ alone: true });
      await harness().pass(60_000);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
      expect(harness().world.devices.get(sessionId)?.logins).toBe(logins);
      const { since, reason_until } = before ?? {};
      expect(await harness().row(number)).toMatchObject({ since, reason_until, status: 'reconnecting' });
      expect(await next.sessions.states.find(number.slotId)).toMatchObject({ status: 'offline' });
      expect(await harness().told(number)).toEqual(['connected', 'disconnected']);
      await harness().pass(560_000);
      await connected(harness(), number, 2);
    });

    it('writes what happened while the database was out of reach, in order, once it is back', async () => {
      const { process, number } = await linked();
      const reconnect = process.cutOff();
      await cut(harness(), number, 20_000);
      const lostAt = harness().clock.now();
      await harness().pass(5_000);
      expect(await harness().row(number)).toMatchObject({ status: 'connected' });
      reconnect();
      await harness().pass(2_000);
      expect(await harness().row(number)).toMatchObject({ status: 'reconnecting', since: lostAt });
      await harness().pass(5_000);
      expect(await harness().told(number)).toEqual(['connected', 'disconnected']);
    });

    it('hands over what the network tells', async () => {
      const { process, number } = await linked();
      const ada = await harness().newNumber();
      harness().world.messages.send(
        { phone: ada.phone, device: 0 },
        { id: 'A1', to: userJid(number.phone), content: { type: 'text', text: 'hi' } },
      );
      await vi.waitFor(() => expect(process.inbound).toHaveLength(1));
      expect(process.inbound[0]).toMatchObject({ hosted: { number }, event: { messageId: 'A1' } });
    });

    it('that says nothing for a minute is asked for a sign of life, and made anew when none comes', async () => {
      const { process, number } = await linked();
      const session = process.sessions.hosted.get(number.slotId)?.session;
      if (!session) throw new Error('not hosted');
      const probe = vi.spyOn(session, 'probe');
      const reconnect = vi.spyOn(session, 'reconnect');
      await harness().pass(55_000);
      expect(probe).not.toHaveBeenCalled();
      await harness().pass(25_000);
      expect(probe).toHaveBeenCalledTimes(1);
      expect(reconnect).not.toHaveBeenCalled();

      probe.mockRejectedValueOnce(new Error('silence'));
      await harness().pass(80_000);
      expect(probe).toHaveBeenCalledTimes(3);
      expect(reconnect).not.toHaveBeenCalled();

      probe.mockRejectedValueOnce(new Error('silence')).mockRejectedValueOnce(new Error('silence'));
      await harness().pass(80_000);
      expect(reconnect).toHaveBeenCalledTimes(1);
      await connected(harness(), number);
      expect(await harness().told(number)).toEqual(['connected']);
    });
  });

  describe('a host', () => {
    it('that stops in order leaves its sessions to the next one, which nobody notices', async () => {
      const { process, number } = await linked();
      await harness().pass(4_000);
      const since = harness().clock.now();
      await process.stop();
      expect(await harness().row(number)).toMatchObject({ status: 'reconnecting', since, worker: null });
      expect(await harness().store.read.selectFrom('workers').selectAll().execute()).toEqual([]);

      const next = await harness().startProcess();
      await connected(harness(), number, 2);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
      await harness().pass(15_000);
      expect(await harness().told(number)).toEqual(['connected']);
    });

    it('that dies is followed by another after ten seconds', async () => {
      const { process, number } = await linked();
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

    it('that dies alone is followed at once: there is nobody whose lease could be valid', async () => {
      const { process, number } = await linked({ alone: true });
      process.crash();
      const next = await harness().startProcess({ alone: true });
      await connected(harness(), number, 2);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
    });

    it('tells of a drop that its predecessor did not live to tell', async () => {
      const { process, number } = await linked({ alone: true });
      process.crash();
      await cut(harness(), number, 60_000);
      const next = await harness().startProcess({ alone: true });
      await vi.waitFor(() => expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 }));
      await harness().pass(11_000);
      await vi.waitFor(async () =>
        expect(await harness().told(number)).toEqual(['connected', 'disconnected']),
      );
    });

    it('that cannot renew lets go by itself before anybody else may take over', async () => {
      const { process, number } = await linked();
      const { worker } = (await harness().row(number)) ?? {};
      process.cutOff();
      await harness().pass(8_500);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      await harness().pass(1_500);
      expect(process.sessions.hosted.connected()).toEqual([]);
      await expect(process.sessions.check()).rejects.toThrow('worker is not usable');
      const lease = await harness()
        .store.read.selectFrom('workers')
        .selectAll()
        .where('worker', '=', worker ?? '')
        .executeTakeFirstOrThrow();
      expect(lease.lease_expires_at).toBeGreaterThan(harness().machineClock.now() - 500);
    });

    it('that has the database to itself keeps everything, however long it cannot renew', async () => {
      const { process, number } = await linked({ alone: true });
      const reconnect = process.cutOff();
      await harness().pass(30_000);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      reconnect();
      await harness().pass(6_000);
      expect(await harness().row(number)).toMatchObject({ status: 'connected', fence: 1 });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({ status: 'connected' });
    });

    it('comes back under a new name and a new fence when it can renew again', async () => {
      const { process, number } = await linked();
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

    it('that was overtaken writes nothing more and lets go', async () => {
      const { process, number } = await linked();
      await harness().store.transaction((trx) =>
        trx.updateTable('sessions').set({ fence: 7, worker: 'another' }).execute(),
      );
      await cut(harness(), number, 1_000);
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      expect(await harness().row(number)).toMatchObject({ status: 'connected', fence: 7 });
    });

    it('lets go of what is not its own any more when it renews, although nothing happens on the connection', async () => {
      const { process, number } = await linked();
      const now = harness().machineClock.now();
      const another = { worker: 'another', started_at: now, last_seen: now, lease_expires_at: now + 60_000 };
      await harness().store.transaction(async (trx) => {
        await trx.insertInto('workers').values(another).execute();
        await trx.updateTable('sessions').set({ worker: 'another' }).execute();
      });
      await harness().pass(4_000);
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      const call = expect(process.sessions.callSession(number, 'groups.list', [])).rejects.toMatchObject({
        code: 'session_not_hosted',
      });
      await harness().pass(6_000);
      await call;
    });

    it('takes up again what the database gave it without its hearing of it', async () => {
      const { process, number } = await linked();
      // As after a claim whose answer was lost.
      await harness().store.transaction((trx) => trx.updateTable('sessions').set({ fence: 7 }).execute());
      await harness().pass(12_000);
      await connected(harness(), number, 8);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 8 });
    });

    it('rests before it takes back a link that a stranger uses', async () => {
      const { process, number, sessionId } = await linked();
      const stranger = harness().world.mailboxes.attach(sessionId, { item() {}, closed() {} });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await harness().pass(25_000);
      expect(process.sessions.hosted.get(number.slotId)).toBeUndefined();
      stranger.detach();
      await harness().pass(8_000);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 1 });
      await connected(harness(), number);
    });

    it('rests longer each time that a stranger takes the link back', async () => {
      const { number, sessionId } = await linked();
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

    it('appears online while a webhook wants to hear of typing, or as its owner wants it', async () => {
      const { number } = await linked();
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

    it('keeps the setting for calls through every change of host', async () => {
      const { process, number } = await linked({ alone: true });
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
