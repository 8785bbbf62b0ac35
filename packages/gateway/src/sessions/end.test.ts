import { parseSessionId } from '@parley/contract';
import { expect, it, vi } from 'vitest';
import { createEventLog } from '#events';
import type { OwnedNumber } from '#http';
import { endSession } from './end.ts';
import type { Process } from './test/process.ts';
import { describeSessions } from './test/stage.ts';
import type { CallSession } from './types.ts';

describeSessions('deleting a session', (stage) => {
  const end = (process: Process, number: OwnedNumber, device: number | null = null) => {
    const { store, bus, clock, machineClock, onboard } = stage();
    const sealedBox = { ...onboard.sealedBox, seal: () => new Uint8Array() };
    const events = createEventLog({ store, bus, sealedBox, clock });
    return endSession(
      { store, bus, clock, machineClock, events, callSession: process.sessions.callSession },
      number,
      device,
    );
  };
  const endingLinks = () => stage().store.read.selectFrom('ending_links').selectAll().execute();
  const devicesOf = ({ phone }: OwnedNumber) => stage().world.devices.of(phone);

  async function linked() {
    const process = await stage().startProcess({ alone: true });
    const number = await stage().newNumber();
    const sessionId = await stage().link(number, process);
    return { process, number, sessionId };
  }

  it('unlinks it on the network before it answers, forgets it and tells so', async () => {
    const { process, number } = await linked();
    await end(process, number);
    expect(devicesOf(number)).toEqual([]);
    expect(await stage().row(number)).toBeUndefined();
    expect(await process.sessions.states.find(number.slotId)).toBeUndefined();
    expect(process.sessions.hosted.get(number.slotId)).toBeUndefined();
    expect(await endingLinks()).toEqual([]);
    expect(await stage().told(number)).toEqual(['connected', 'logged_out']);
    await expect(process.sessions.callSession(number, 'groups.list', [])).rejects.toMatchObject({
      code: 'session_not_hosted',
    });
  });

  it('works while it is offline', async () => {
    const { process, number, sessionId } = await linked();
    stage().world.faults.arm(sessionId, { kind: 'disconnect', count: 1, ms: 60_000 });
    await stage().pass(2_000);
    await end(process, number);
    expect(await stage().row(number)).toBeUndefined();
    expect(await endingLinks()).toEqual([]);
  });

  it('works while nobody hosts it: the next worker unlinks it', async () => {
    const { process, number } = await linked();
    process.crash();
    await end(process, number);
    expect(await stage().row(number)).toBeUndefined();
    expect(devicesOf(number)).toHaveLength(1);

    const next = await stage().startProcess({ alone: true });
    await vi.waitFor(() => expect(devicesOf(number)).toEqual([]));
    await vi.waitFor(async () => expect(await endingLinks()).toEqual([]));
    expect(next.sessions.hosted.get(number.slotId)).toBeUndefined();
  });

  it('of a number that was logged out says nothing twice', async () => {
    const { process, number, sessionId } = await linked();
    stage().world.devices.unlink(sessionId);
    await vi.waitFor(async () => expect(await stage().told(number)).toEqual(['connected', 'logged_out']));
    await end(process, number);
    expect(await stage().row(number)).toBeUndefined();
    expect(await stage().told(number)).toEqual(['connected', 'logged_out']);
  });

  it('of a number that was never linked is nothing to do', async () => {
    const process = await stage().startProcess();
    await expect(end(process, await stage().newNumber())).resolves.toBeUndefined();
  });

  it('by the id of a link that is over, or never was, ends nothing', async () => {
    const { process, number, sessionId } = await linked();
    await end(process, number, parseSessionId(sessionId)?.device ?? null);
    const again = await stage().link(number, process);
    const before = await stage().row(number);
    const told = await stage().told(number);
    for (const device of [parseSessionId(sessionId)?.device ?? null, 99]) {
      await expect(end(process, number, device)).resolves.toBeUndefined();
    }
    expect(await stage().row(number)).toEqual(before);
    expect(await stage().told(number)).toEqual(told);
    expect(devicesOf(number)).toMatchObject([{ sessionId: again }]);
    expect(await endingLinks()).toEqual([]);
  });

  it('never reaches the link that took its place while its host was looked for', async () => {
    const { process, number } = await linked();
    const slow = async (...args: Parameters<typeof process.sessions.callSession>) => {
      await stage().link(number, process);
      return process.sessions.callSession(...args);
    };
    await end({ ...process, sessions: { ...process.sessions, callSession: slow as CallSession } }, number);
    const again = (await stage().row(number))?.session_id;
    expect(again).toBeDefined();
    expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ sessionId: again });
    await vi.waitFor(() => expect(devicesOf(number)).toMatchObject([{ sessionId: again }]));
  });

  it('twice at the same time is one end', async () => {
    const { process, number } = await linked();
    await Promise.all([end(process, number), end(process, number)]);
    expect(await stage().told(number)).toEqual(['connected', 'logged_out']);
    expect(devicesOf(number)).toEqual([]);
  });

  it('lets the number be linked again from the beginning', async () => {
    const { process, number, sessionId } = await linked();
    await end(process, number);
    const again = await stage().link(number, process);
    expect(again).not.toBe(sessionId);
    expect(await stage().row(number)).toMatchObject({ session_id: again, auto_reject: 0 });
  });
});
