import { userJid } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import type { OwnedNumber } from '#http';
import { describeSessions, type Stage } from './testing/stage.ts';

/** Cuts the connection and keeps the network from taking it up again for so long. */
async function cut(stage: Stage, number: OwnedNumber, ms: number): Promise<void> {
  const row = await stage.row(number);
  stage.world.faults.arm(row?.session_id ?? '', { kind: 'disconnect', count: 1, ms });
}

const connected = (stage: Stage, number: OwnedNumber, fence = 1) =>
  vi.waitFor(async () => expect(await stage.row(number)).toMatchObject({ status: 'connected', fence }));

describeSessions('hosting', (stage) => {
  async function linked(options?: Parameters<Stage['startProcess']>[0]) {
    const process = await stage().startProcess(options);
    const number = await stage().newNumber();
    const sessionId = await stage().link(number, process);
    await connected(stage(), number);
    return { process, number, sessionId };
  }

  describe('a connection', () => {
    it('is told once when it comes up', async () => {
      const { process, number, sessionId } = await linked();
      expect(await stage().told(number)).toEqual(['connected']);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ number, sessionId, fence: 1 });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({
        sessionId,
        status: 'connected',
      });
    });

    it('that drops for less than ten seconds changes its status and tells nobody', async () => {
      const { process, number } = await linked();
      await cut(stage(), number, 5_000);
      await stage().pass(1_000);
      expect(await stage().row(number)).toMatchObject({ status: 'reconnecting' });
      expect(process.sessions.hosted.connected()).toEqual([]);

      await stage().pass(8_000);
      await connected(stage(), number);
      await stage().pass(15_000);
      expect(await stage().told(number)).toEqual(['connected']);
    });

    it('that stays away is told after ten seconds, as of the moment it was lost, and once more when it is back', async () => {
      const { number } = await linked();
      const lostAt = stage().clock.now();
      await cut(stage(), number, 60_000);
      await stage().pass(9_500);
      expect(await stage().told(number)).toEqual(['connected']);
      await stage().pass(1_000);
      await vi.waitFor(async () => expect(await stage().told(number)).toEqual(['connected', 'disconnected']));
      const event = await stage()
        .store.read.selectFrom('events')
        .select('body')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      expect(JSON.parse(event.body).timestamp_unix).toBe(lostAt / 1_000);

      await stage().pass(120_000);
      await vi.waitFor(async () =>
        expect(await stage().told(number)).toEqual(['connected', 'disconnected', 'connected']),
      );
    });

    it('is offline after five minutes, and connected again without help', async () => {
      const { process, number } = await linked();
      await cut(stage(), number, 6 * 60_000);
      const find = () => process.sessions.states.find(number.slotId);
      await stage().pass(4 * 60_000);
      expect(await find()).toMatchObject({ status: 'reconnecting' });
      await stage().pass(65_000);
      expect(await find()).toMatchObject({ status: 'offline' });
      await stage().pass(3 * 60_000);
      expect(await find()).toMatchObject({ status: 'connected' });
    });

    it('is over at once when the phone unlinks it', async () => {
      const { process, number, sessionId } = await linked();
      stage().world.devices.unlink(sessionId);
      await vi.waitFor(async () => expect(await stage().told(number)).toEqual(['connected', 'logged_out']));
      expect(await stage().row(number)).toMatchObject({ status: 'logged_out', worker: null });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await stage().pass(10_000);
      expect(await stage().row(number)).toMatchObject({ status: 'logged_out', worker: null, fence: 1 });
    });

    it('writes what happened while the database was out of reach, in order, once it is back', async () => {
      const { process, number } = await linked();
      const reconnect = process.cutOff();
      await cut(stage(), number, 20_000);
      const lostAt = stage().clock.now();
      await stage().pass(5_000);
      expect(await stage().row(number)).toMatchObject({ status: 'connected' });
      reconnect();
      await stage().pass(2_000);
      expect(await stage().row(number)).toMatchObject({ status: 'reconnecting', since: lostAt });
      await stage().pass(5_000);
      expect(await stage().told(number)).toEqual(['connected', 'disconnected']);
    });

    it('hands over what the network tells', async () => {
      const { process, number } = await linked();
      const ada = await stage().newNumber();
      stage().world.messages.send(
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
      await stage().pass(55_000);
      expect(probe).not.toHaveBeenCalled();
      await stage().pass(25_000);
      expect(probe).toHaveBeenCalledTimes(1);
      expect(reconnect).not.toHaveBeenCalled();

      probe.mockRejectedValueOnce(new Error('silence'));
      await stage().pass(80_000);
      expect(probe).toHaveBeenCalledTimes(3);
      expect(reconnect).not.toHaveBeenCalled();

      probe.mockRejectedValueOnce(new Error('silence')).mockRejectedValueOnce(new Error('silence'));
      await stage().pass(80_000);
      expect(reconnect).toHaveBeenCalledTimes(1);
      await connected(stage(), number);
      expect(await stage().told(number)).toEqual(['connected']);
    });
  });

  describe('a host', () => {
    it('that stops in order leaves its sessions to the next one, which nobody notices', async () => {
      const { process, number } = await linked();
      await stage().pass(4_000);
      const since = stage().clock.now();
      await process.stop();
      expect(await stage().row(number)).toMatchObject({ status: 'reconnecting', since, worker: null });
      expect(await stage().store.read.selectFrom('workers').selectAll().execute()).toEqual([]);

      const next = await stage().startProcess();
      await connected(stage(), number, 2);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
      await stage().pass(15_000);
      expect(await stage().told(number)).toEqual(['connected']);
    });

    it('that dies is followed by another after ten seconds', async () => {
      const { process, number } = await linked();
      const other = await stage().startProcess();
      await stage().pass(3_000);
      expect(other.sessions.hosted.get(number.slotId)).toBeUndefined();
      process.crash();
      await stage().pass(6_000);
      expect(other.sessions.hosted.get(number.slotId)).toBeUndefined();
      await stage().pass(8_000);
      await connected(stage(), number, 2);
      expect(other.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
    });

    it('that dies alone is followed at once: there is nobody whose lease could be valid', async () => {
      const { process, number } = await linked({ alone: true });
      process.crash();
      const next = await stage().startProcess({ alone: true });
      await connected(stage(), number, 2);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
    });

    it('tells of a drop that its predecessor did not live to tell', async () => {
      const { process, number } = await linked({ alone: true });
      process.crash();
      await cut(stage(), number, 60_000);
      const next = await stage().startProcess({ alone: true });
      await vi.waitFor(() => expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 }));
      await stage().pass(11_000);
      await vi.waitFor(async () => expect(await stage().told(number)).toEqual(['connected', 'disconnected']));
    });

    it('that cannot renew lets go by itself before anybody else may take over', async () => {
      const { process, number } = await linked();
      const { worker } = (await stage().row(number)) ?? {};
      process.cutOff();
      await stage().pass(8_500);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      await stage().pass(1_500);
      expect(process.sessions.hosted.connected()).toEqual([]);
      await expect(process.sessions.check()).rejects.toThrow('worker is not usable');
      const lease = await stage()
        .store.read.selectFrom('workers')
        .selectAll()
        .where('worker', '=', worker ?? '')
        .executeTakeFirstOrThrow();
      expect(lease.lease_expires_at).toBeGreaterThan(stage().machineClock.now() - 500);
    });

    it('that has the database to itself keeps everything, however long it cannot renew', async () => {
      const { process, number } = await linked({ alone: true });
      const reconnect = process.cutOff();
      await stage().pass(30_000);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      reconnect();
      await stage().pass(6_000);
      expect(await stage().row(number)).toMatchObject({ status: 'connected', fence: 1 });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({ status: 'connected' });
    });

    it('comes back under a new name and a new fence when it can renew again', async () => {
      const { process, number } = await linked();
      const before = await stage().row(number);
      const reconnect = process.cutOff();
      await stage().pass(12_000);
      reconnect();
      await stage().pass(6_000);
      await connected(stage(), number, 2);
      const after = await stage().row(number);
      expect(after).toMatchObject({ fence: 2 });
      expect(after?.worker).not.toBe(before?.worker);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
    });

    it('that was overtaken writes nothing more and lets go', async () => {
      const { process, number } = await linked();
      await stage().store.transaction((trx) =>
        trx.updateTable('sessions').set({ fence: 7, worker: 'another' }).execute(),
      );
      await cut(stage(), number, 1_000);
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      expect(await stage().row(number)).toMatchObject({ status: 'connected', fence: 7 });
    });

    it('lets go of what is not its own any more when it renews, although nothing happens on the connection', async () => {
      const { process, number } = await linked();
      const now = stage().machineClock.now();
      const another = { worker: 'another', started_at: now, last_seen: now, lease_expires_at: now + 60_000 };
      await stage().store.transaction(async (trx) => {
        await trx.insertInto('workers').values(another).execute();
        await trx.updateTable('sessions').set({ worker: 'another' }).execute();
      });
      await stage().pass(4_000);
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      const call = expect(process.sessions.callSession(number, 'groups.list', [])).rejects.toMatchObject({
        code: 'session_not_hosted',
      });
      await stage().pass(6_000);
      await call;
    });

    it('takes up again what the database gave it without its hearing of it', async () => {
      const { process, number } = await linked();
      // As after a claim whose answer was lost.
      await stage().store.transaction((trx) => trx.updateTable('sessions').set({ fence: 7 }).execute());
      await stage().pass(12_000);
      await connected(stage(), number, 8);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 8 });
    });

    it('rests before it takes back a link that a stranger uses', async () => {
      const { process, number, sessionId } = await linked();
      const stranger = stage().world.mailboxes.attach(sessionId, { item() {}, closed() {} });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await stage().pass(25_000);
      expect(process.sessions.hosted.get(number.slotId)).toBeUndefined();
      stranger.detach();
      await stage().pass(8_000);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 1 });
      await connected(stage(), number);
    });

    it('keeps the setting for calls through every change of host', async () => {
      const { process, number } = await linked({ alone: true });
      await process.sessions.autoReject.set(number, true);
      process.crash();
      const next = await stage().startProcess({ alone: true });
      await connected(stage(), number, 2);
      const caller = await stage().newNumber();
      stage().world.calls.offer({ phone: caller.phone, device: 0 }, number.phone, { video: false });
      await vi.waitFor(() =>
        expect(next.inbound).toMatchObject([{ event: { kind: 'call', event: 'offer', rejected: true } }]),
      );
      expect(await next.sessions.autoReject.read(number)).toMatchObject({ enabled: true });
    });
  });
});
