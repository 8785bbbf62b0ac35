import { type EventKind, userJid } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import { NetworkError } from '#network';
import { describeSessions, type TestHarness } from '../testing/harness.ts';
import { connected, cut, linkedNumber } from '../testing/numbers.ts';

async function lastEvent({ store }: TestHarness, kind: EventKind = 'connection'): Promise<unknown> {
  const event = await store.read
    .selectFrom('events')
    .select('body')
    .where('kind', '=', kind)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return JSON.parse(event.body);
}

describeSessions('events of a connection', (harness) => {
  describe('a connection', () => {
    it('is published once when it comes up', async () => {
      const { process, number, sessionId } = await linkedNumber(harness());
      expect(await harness().publishedStates(number)).toEqual(['connected']);
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ number, sessionId, fence: 1 });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({
        sessionId,
        status: 'connected',
      });
    });

    it('that drops for less than ten seconds changes its status without an event', async () => {
      const { process, number } = await linkedNumber(harness());
      await cut(harness(), number, 5_000);
      await harness().pass(1_000);
      expect(await harness().row(number)).toMatchObject({ status: 'reconnecting' });
      expect(process.sessions.hosted.connected()).toEqual([]);

      await harness().pass(8_000);
      await connected(harness(), number);
      await harness().pass(15_000);
      expect(await harness().publishedStates(number)).toEqual(['connected']);
    });

    it('that stays away is published after ten seconds, as of its loss, and again when it is back', async () => {
      const { number } = await linkedNumber(harness());
      const lostAt = harness().clock.now();
      await cut(harness(), number, 60_000);
      await harness().pass(9_500);
      expect(await harness().publishedStates(number)).toEqual(['connected']);
      await harness().pass(1_000);
      await vi.waitFor(async () =>
        expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']),
      );
      expect(await lastEvent(harness())).toMatchObject({
        timestamp_unix: lostAt / 1_000,
        reason: 'connection_lost',
      });

      await harness().pass(120_000);
      await vi.waitFor(async () =>
        expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected', 'connected']),
      );
    });

    it('that is lost counts as one disconnect of the number, however often it is retried', async () => {
      const { number } = await linkedNumber(harness());
      await cut(harness(), number, 60_000);
      const counted = () =>
        harness()
          .store.read.selectFrom('health_counts')
          .select('disconnects')
          .where('slot_id', '=', number.slotId)
          .where('disconnects', '>', 0)
          .execute();
      await vi.waitFor(async () => expect(await counted()).toEqual([{ disconnects: 1 }]));
      await harness().pass(30_000);
      expect(await counted()).toEqual([{ disconnects: 1 }]);
    });

    it('is offline after five minutes, and reconnects without help', async () => {
      const { process, number } = await linkedNumber(harness());
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
      const { process, number, sessionId } = await linkedNumber(harness());
      harness().world.devices.unlink(sessionId);
      await vi.waitFor(async () =>
        expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out']),
      );
      expect(await harness().row(number)).toMatchObject({ status: 'logged_out', worker: null });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await harness().pass(10_000);
      expect(await harness().row(number)).toMatchObject({ status: 'logged_out', worker: null, fence: 1 });
    });

    it.each([
      [403, 'locked'],
      [406, 'banned'],
    ])('is over when the network refuses it for good (%i), with the reason', async (code, reason) => {
      const { process, number, sessionId } = await linkedNumber(harness());
      harness().world.faults.arm(sessionId, { kind: 'refuse_login', count: 1, ms: 0, code });
      await harness().pass(4_000);
      await vi.waitFor(async () =>
        expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out']),
      );
      expect(await harness().row(number)).toMatchObject({ status: 'logged_out', reason, worker: null });
      expect(await process.sessions.states.find(number.slotId)).toMatchObject({
        status: 'logged_out',
        why: { reason, detail: expect.any(String), until: null },
      });
      expect(await lastEvent(harness(), 'health')).toMatchObject({
        state: 'banned',
        restriction: { kind: reason },
        advice: ['appeal_on_phone'],
      });
    });

    it('that the network bans for a time is offline at once, is published with reason and end, and reconnects after it', async () => {
      const { process, number } = await linkedNumber(harness());
      const find = () => process.sessions.states.find(number.slotId);
      harness().world.sanctions.ban(number.phone, { code: 101, seconds: 600 });
      await harness().pass(6_000);
      await vi.waitFor(async () =>
        expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']),
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
      expect(await lastEvent(harness(), 'health')).toMatchObject({
        state: 'banned',
        until_unix: until,
        restriction: { kind: 'temporary_ban' },
      });

      await harness().pass(610_000);
      await connected(harness(), number);
      expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected', 'connected']);
      expect(await harness().row(number)).toMatchObject({ reason: null, reason_until: null });
      expect(await lastEvent(harness())).not.toHaveProperty('reason');
      expect(await lastEvent(harness(), 'health')).toMatchObject({ state: 'healthy' });
    });

    it('that is banned stays so with the next host, which neither connects nor publishes it again', async () => {
      const { process, number, sessionId } = await linkedNumber(harness(), { alone: true });
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
      expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']);
      await harness().pass(560_000);
      await connected(harness(), number, 2);
    });

    it('writes what happened while the database was out of reach, in order, once it is back', async () => {
      const { process, number } = await linkedNumber(harness());
      const reconnect = process.cutOff();
      await cut(harness(), number, 20_000);
      const lostAt = harness().clock.now();
      await harness().pass(5_000);
      expect(await harness().row(number)).toMatchObject({ status: 'connected' });
      reconnect();
      await harness().pass(2_000);
      expect(await harness().row(number)).toMatchObject({ status: 'reconnecting', since: lostAt });
      await harness().pass(5_000);
      expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']);
    });

    it('passes on the events of the network', async () => {
      const { process, number } = await linkedNumber(harness());
      const ada = await harness().newNumber();
      harness().world.messages.send(
        { phone: ada.phone, device: 0 },
        { id: 'A1', to: userJid(number.phone), content: { type: 'text', text: 'hi' } },
      );
      await vi.waitFor(() => expect(process.inbound).toHaveLength(1));
      expect(process.inbound[0]).toMatchObject({ hosted: { number }, event: { messageId: 'A1' } });
    });

    it('that is silent for a minute is probed, and reconnected without an answer', async () => {
      const { process, number } = await linkedNumber(harness());
      const session = process.sessions.hosted.get(number.slotId)?.session;
      if (!session) throw new Error('not hosted');
      const probe = vi.spyOn(session, 'probe');
      const reconnect = vi.spyOn(session, 'reconnect');
      await harness().pass(55_000);
      expect(probe).not.toHaveBeenCalled();
      await harness().pass(25_000);
      expect(probe).toHaveBeenCalledTimes(1);
      expect(reconnect).not.toHaveBeenCalled();

      probe.mockRejectedValueOnce(new NetworkError('transient', 'silence'));
      await harness().pass(80_000);
      expect(probe).toHaveBeenCalledTimes(3);
      expect(reconnect).not.toHaveBeenCalled();

      probe
        .mockRejectedValueOnce(new NetworkError('transient', 'silence'))
        .mockRejectedValueOnce(new NetworkError('transient', 'silence'));
      await harness().pass(80_000);
      expect(reconnect).toHaveBeenCalledTimes(1);
      await connected(harness(), number);
      expect(await harness().publishedStates(number)).toEqual(['connected']);
    });
  });
});
