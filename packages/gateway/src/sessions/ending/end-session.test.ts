import { parseSessionId } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import { createEventLog } from '#events';
import type { OwnedNumber } from '#platform/http';
import { describeSessions } from '../testing/harness.ts';
import type { Process } from '../testing/process.ts';
import type { GetHost } from '../types.ts';
import { endSession } from './end-session.ts';

describeSessions('deleting a session', (harness) => {
  const end = (process: Process, number: OwnedNumber, device: number | null = null) => {
    const { store, bus, clock, machineClock, sealedBox } = harness();
    const events = createEventLog({ store, bus, sealedBox, clock });
    return endSession(
      { store, bus, clock, machineClock, events, getHost: process.sessions.getHost },
      number,
      { device },
    );
  };
  const endingLinks = () => harness().store.read.selectFrom('ending_links').selectAll().execute();
  const devicesOf = ({ phone }: OwnedNumber) => harness().world.devices.of(phone);

  async function linked() {
    const process = await harness().startProcess({ alone: true });
    const number = await harness().newNumber();
    const sessionId = await harness().link(number, process);
    return { process, number, sessionId };
  }

  it('unlinks it on the network before it answers, forgets it and publishes its end', async () => {
    const { process, number } = await linked();
    await end(process, number);
    expect(devicesOf(number)).toEqual([]);
    expect(await harness().row(number)).toBeUndefined();
    expect(await process.sessions.states.find(number.slotId)).toBeUndefined();
    expect(process.sessions.hosted.get(number.slotId)).toBeUndefined();
    expect(await endingLinks()).toEqual([]);
    expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out']);
    await expect(process.sessions.getHost(number).groups.list()).rejects.toMatchObject({
      code: 'session_not_hosted',
    });
  });

  describe('while the network cannot be reached', () => {
    const HOUR_MS = 60 * 60_000;
    const cut = async (sessionId: string, ms: number) => {
      harness().world.faults.arm(sessionId, { kind: 'disconnect', count: 1, ms });
      await harness().pass(2_000);
    };
    const isSession = async (process: Process, number: OwnedNumber) =>
      (await harness().row(number)) !== undefined ||
      process.sessions.hosted.get(number.slotId) !== undefined ||
      (await process.sessions.states.find(number.slotId)) !== undefined;

    it('ends it for the owner at once, and on the phone as soon as the network is back', async () => {
      const { process, number, sessionId } = await linked();
      await cut(sessionId, 2 * 60_000);
      await end(process, number);
      expect(await isSession(process, number)).toBe(false);
      expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out']);

      await harness().pass(60_000);
      expect(devicesOf(number)).toMatchObject([{ sessionId }]);
      expect(await endingLinks()).toHaveLength(1);

      await harness().pass(3 * 60_000);
      expect(devicesOf(number)).toEqual([]);
      expect(await endingLinks()).toEqual([]);
      expect(await isSession(process, number)).toBe(false);
    });

    it('leaves the unlink job to the next process', async () => {
      const { process, number, sessionId } = await linked();
      await cut(sessionId, 2 * 60_000);
      await end(process, number);
      await harness().pass(20_000);
      await process.stop();

      const next = await harness().startProcess({ alone: true });
      expect(devicesOf(number)).toHaveLength(1);
      await harness().pass(4 * 60_000);
      expect(devicesOf(number)).toEqual([]);
      expect(await isSession(next, number)).toBe(false);
    });

    it('keeps a link that was made meanwhile', async () => {
      const { process, number, sessionId } = await linked();
      await cut(sessionId, 2 * 60_000);
      await end(process, number);
      const again = await harness().link(number, process);
      await harness().pass(30_000);
      const ids = devicesOf(number).map((device) => device.sessionId);
      expect(ids.toSorted()).toEqual([sessionId, again].toSorted());

      await harness().pass(4 * 60_000);
      expect(devicesOf(number)).toMatchObject([{ sessionId: again }]);
      expect(await endingLinks()).toEqual([]);
      expect(await harness().row(number)).toMatchObject({ session_id: again, status: 'connected' });
      expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out', 'connected']);
    });

    it('publishes nothing more when the phone has unlinked it meanwhile', async () => {
      const { process, number, sessionId } = await linked();
      await cut(sessionId, HOUR_MS);
      await end(process, number);
      await harness().pass(20_000);
      harness().world.devices.unlink(sessionId);
      await harness().pass(60_000);
      expect(await endingLinks()).toEqual([]);
    });

    it('gives up after 30 days, when the network itself has dropped the device', async () => {
      const { process, number, sessionId } = await linked();
      const erase = vi.spyOn(harness().world.vault, 'erase');
      const { link_id: linkId = '' } = (await harness().row(number)) ?? {};
      await cut(sessionId, 100 * 24 * HOUR_MS);
      await end(process, number);
      harness().clock.advance(29 * 24 * HOUR_MS);
      await harness().pass(6 * 60_000);
      expect(await endingLinks()).toHaveLength(1);
      expect(erase).not.toHaveBeenCalledWith(expect.anything(), linkId);

      harness().clock.advance(24 * HOUR_MS);
      await harness().pass(6 * 60_000);
      expect(await endingLinks()).toEqual([]);
      expect(erase).toHaveBeenCalledWith(expect.anything(), linkId);
    });
  });

  it('works without a host: the next worker unlinks it', async () => {
    const { process, number } = await linked();
    process.crash();
    await end(process, number);
    expect(await harness().row(number)).toBeUndefined();
    expect(devicesOf(number)).toHaveLength(1);

    const next = await harness().startProcess({ alone: true });
    await vi.waitFor(() => expect(devicesOf(number)).toEqual([]));
    await vi.waitFor(async () => expect(await endingLinks()).toEqual([]));
    expect(next.sessions.hosted.get(number.slotId)).toBeUndefined();
  });

  it('publishes nothing twice for a number that was logged out', async () => {
    const { process, number, sessionId } = await linked();
    harness().world.devices.unlink(sessionId);
    await vi.waitFor(async () =>
      expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out']),
    );
    await end(process, number);
    expect(await harness().row(number)).toBeUndefined();
    expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out']);
  });

  it('does nothing for a number that was never linked', async () => {
    const process = await harness().startProcess();
    await expect(end(process, await harness().newNumber())).resolves.toBeUndefined();
  });

  it('ends nothing by the id of a link that is over or never existed', async () => {
    const { process, number, sessionId } = await linked();
    await end(process, number, parseSessionId(sessionId)?.device ?? null);
    const again = await harness().link(number, process);
    const publishedStates = ['connected', 'logged_out', 'connected'];
    await vi.waitFor(async () => expect(await harness().publishedStates(number)).toEqual(publishedStates));
    const before = await harness().row(number);
    for (const device of [parseSessionId(sessionId)?.device ?? null, 99]) {
      await expect(end(process, number, device)).resolves.toBeUndefined();
    }
    expect(await harness().row(number)).toEqual(before);
    expect(await harness().publishedStates(number)).toEqual(publishedStates);
    expect(devicesOf(number)).toMatchObject([{ sessionId: again }]);
    expect(await endingLinks()).toEqual([]);
  });

  it('never ends a link that replaced it while its host was looked up', async () => {
    const { process, number } = await linked();
    const getHost: GetHost = (asked) => {
      const host = process.sessions.getHost(asked);
      return {
        ...host,
        async run(action, args) {
          await harness().link(number, process);
          return host.run(action, args);
        },
      };
    };
    await end({ ...process, sessions: { ...process.sessions, getHost } }, number);
    const again = (await harness().row(number))?.session_id;
    expect(again).toBeDefined();
    expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ sessionId: again });
    await vi.waitFor(() => expect(devicesOf(number)).toMatchObject([{ sessionId: again }]));
  });

  it('ends it once when asked twice at the same time', async () => {
    const { process, number } = await linked();
    await Promise.all([end(process, number), end(process, number)]);
    expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out']);
    expect(devicesOf(number)).toEqual([]);
  });

  it('lets the number be paired again', async () => {
    const { process, number, sessionId } = await linked();
    await end(process, number);
    const again = await harness().link(number, process);
    expect(again).not.toBe(sessionId);
    expect(await harness().row(number)).toMatchObject({ session_id: again, auto_reject: 0 });
  });
});
