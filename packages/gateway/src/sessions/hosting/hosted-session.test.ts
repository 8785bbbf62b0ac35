import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { ConnectionState } from '#network';
import { describeSessions } from '../testing/harness.ts';
import { connected, cut, linkedNumber } from '../testing/numbers.ts';
import type { HostAction } from '../types.ts';

/** An action that is under way until the test finishes it. */
function createSlowAction() {
  const finished = Promise.withResolvers<string>();
  const run = vi.fn(() => finished.promise);
  const action: HostAction<null, string> = { name: 'setTyping', worksOffline: true, run };
  return { action, run, finish: () => finished.resolve('done') };
}

describeSessions('a hosted session', (harness) => {
  it('reports since when it is connected, and emits each change', async () => {
    const { process, number } = await linkedNumber(harness());
    const { slotId } = number;
    const since = () => process.worker?.connectedSince(slotId);
    const changed = vi.fn();
    const stop = process.sessions.hosted.onChange(changed);
    expect(since()).toBe(harness().clock.now());
    await cut(harness(), number, 3_000);
    await vi.waitFor(() => expect(since()).toBeUndefined());
    expect(changed.mock.calls).toEqual([[slotId]]);
    const lostAt = harness().clock.now();
    await harness().pass(10_000);
    await vi.waitFor(() => expect(since()).toBeGreaterThan(lostAt));
    expect(changed.mock.calls).toEqual([[slotId], [slotId]]);
    expect(process.worker?.figures()).toMatchObject({ hosted: 1, connected: 1 });
    stop();
    await cut(harness(), number, 3_000);
    await vi.waitFor(() => expect(since()).toBeUndefined());
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it('counts as lost when the driver makes the connection anew without having lost it', async () => {
    const stateSinks = new Map<string, (state: ConnectionState) => void>();
    const { process, number } = await linkedNumber(harness(), {
      wrap: (driver) => ({
        ...driver,
        open(request) {
          stateSinks.set(request.linkId, request.onState);
          return driver.open(request);
        },
      }),
    });
    const { link_id: linkId = '' } = (await harness().row(number)) ?? {};
    const emitConnecting = (): void => stateSinks.get(linkId)?.({ kind: 'connecting' });
    emitConnecting();
    expect(process.worker?.connectedSince(number.slotId)).toBeUndefined();
    const lost = { status: 'reconnecting', reason: 'connection_lost' };
    await vi.waitFor(async () => expect(await harness().row(number)).toMatchObject(lost));
    expect(process.logged.at(-1)).toMatchObject(lost);
    const { length } = process.logged;
    emitConnecting();
    expect(process.logged).toHaveLength(length);
  });

  it('is not probed while events come in', async () => {
    const { process, number } = await linkedNumber(harness());
    const session = process.sessions.hosted.get(number.slotId)?.session;
    const probe = vi.spyOn(session ?? { probe: async () => {} }, 'probe');
    const caller = await harness().newNumber();
    for (let seconds = 0; seconds < 120; seconds += 40) {
      await harness().pass(40_000);
      harness().world.calls.offer({ phone: caller.phone, device: 0 }, number.phone, { video: false });
      await vi.waitFor(() => expect(process.inbound).toHaveLength(seconds / 40 + 1));
    }
    expect(probe).not.toHaveBeenCalled();
  });

  describe('when handed over', () => {
    it('finishes the calls under way, takes no new ones, and disconnects before the next host connects', async () => {
      const { action, run, finish } = createSlowAction();
      const { process, number, sessionId } = await linkedNumber(harness(), { actions: [action] });
      const caller = await harness().startProcess({ hosts: false });
      const call = caller.sessions.getHost(number).run(action, null);
      await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
      const session = process.sessions.hosted.get(number.slotId)?.session ?? { close: async () => {} };
      const leave = session.close.bind(session);
      const mayLeave = Promise.withResolvers<void>();
      const close = vi.spyOn(session, 'close').mockImplementation(() => mayLeave.promise.then(leave));
      const { worker } = (await harness().row(number)) ?? {};
      const stopped = process.worker?.stop();
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      expect(close).not.toHaveBeenCalled();
      finish();
      expect(await call).toBe('done');
      await vi.waitFor(() => expect(close).toHaveBeenCalled());
      await harness().pass(1);
      expect(await harness().row(number)).toMatchObject({ worker });
      mayLeave.resolve();
      await stopped;
      expect(harness().world.devices.get(sessionId)).toMatchObject({ attached: false });
      expect(await harness().row(number)).toMatchObject({ worker: null });
    });

    it('waits a second for calls, and no longer', async () => {
      const { action, run, finish } = createSlowAction();
      const { process, number, sessionId } = await linkedNumber(harness(), { actions: [action] });
      const caller = await harness().startProcess({ hosts: false });
      const call = caller.sessions.getHost(number).run(action, null);
      await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
      const stopped = process.worker?.stop();
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await harness().pass(999);
      expect(harness().world.devices.get(sessionId)).toMatchObject({ attached: true });
      await harness().pass(1);
      await stopped;
      expect(harness().world.devices.get(sessionId)).toMatchObject({ attached: false });
      finish();
      await call;
    });
  });

  it('is not reclaimed by a worker that stops and renews its lease meanwhile', async () => {
    const { action, run, finish } = createSlowAction();
    const { process, number: busy } = await linkedNumber(harness(), { actions: [action] });
    const number = await harness().newNumber();
    await harness().link(number, process);
    const caller = await harness().startProcess({ hosts: false });
    harness().machineClock.advance(2_500);
    const call = caller.sessions.getHost(busy).run(action, null);
    await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
    const stopped = process.worker?.stop();
    await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
    await harness().store.transaction((trx) =>
      trx.updateTable('sessions').set({ worker: null }).where('slot_id', '=', number.slotId).execute(),
    );
    await harness().pass(600);
    finish();
    await Promise.all([call, stopped]);
    expect(await harness().row(number)).toMatchObject({ worker: null, fence: 1 });
  });

  describe('before its first connection', () => {
    async function boarding() {
      const { action, run, finish } = createSlowAction();
      finish();
      const { process, number, sessionId } = await linkedNumber(harness(), { alone: true });
      process.crash();
      const arrive = Promise.withResolvers<void>();
      const next = await harness().startProcess({
        alone: true,
        actions: [action],
        wrap: (driver) => ({
          ...driver,
          open: ({ onState, ...request }) =>
            driver.open({ ...request, onState: (state) => void arrive.promise.then(() => onState(state)) }),
        }),
      });
      await vi.waitFor(() => expect(next.sessions.hosted.get(number.slotId)).toBeDefined());
      const call = next.sessions.getHost(number).run(action, null);
      await harness().row(number);
      expect(run).not.toHaveBeenCalled();
      return { number, sessionId, next, call, run, arrive };
    }

    it('answers a call as soon as it is connected', async () => {
      const { number, call, run, arrive } = await boarding();
      arrive.resolve();
      expect(await call).toBe('done');
      expect(run).toHaveBeenCalledOnce();
      await connected(harness(), number, 2);
    });

    it('keeps a call waiting for three seconds at most', async () => {
      const { call, run } = await boarding();
      harness().machineClock.advance(2_999);
      await turn();
      expect(run).not.toHaveBeenCalled();
      harness().machineClock.advance(1);
      expect(await call).toBe('done');
    });
  });

  it.each([
    ['when it is connected', false],
    ['five seconds after it was linked where it is not', true],
  ])('counts as paired %s', async (_, isSlow) => {
    const arrive = Promise.withResolvers<void>();
    const process = await harness().startProcess({
      wrap: (driver) => ({
        ...driver,
        open: ({ onState, ...request }) =>
          driver.open({ ...request, onState: (state) => void arrive.promise.then(() => onState(state)) }),
      }),
    });
    const number = await harness().newNumber();
    const id = await harness().start(number);
    const { qr = '' } = await harness().pollUntil(number, id, 'qr');
    await process.driver.pairing.scan(number.phone, qr);
    await vi.waitFor(() => expect(process.worker?.figures()).toMatchObject({ hosted: 1 }));
    await turn();
    harness().machineClock.advance(4_999);
    await harness().row(number);
    expect(await harness().poll(number, id)).toMatchObject({ status: 'qr' });
    if (isSlow) harness().machineClock.advance(1);
    else arrive.resolve();
    await harness().pollUntil(number, id, 'paired');
  });
});
