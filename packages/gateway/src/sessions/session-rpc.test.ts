import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BusUnreachable, createLocalBus } from '#bus';
import type { OwnedNumber } from '#http';
import { createSteppedClock, fault, type TravelClock } from '#kernel';
import { NetworkError, type NetworkSession } from '#network';
import { createActionHandler, createCallSession, subjectOf } from './session-rpc.ts';
import type { HostAction, HostedSession } from './types.ts';

const number: OwnedNumber = { slotId: 'slot_1', accountId: 'acc_1', phone: '15550001001', plan: 'max' };

/** A host on a bus, whose session answers as the test says. */
function setUp(
  session: { groups?: Partial<NetworkSession['groups']>; state?: { kind: string } },
  actions: HostAction<never, unknown>[] = [],
  changesHands = false,
) {
  const clock = createSteppedClock();
  const bus = createLocalBus({ clock });
  const connected = { state: { kind: 'connected' }, ...session };
  const hosted = { number, sessionId: '15550001001:1@s.whatsapp.net', session: connected, fence: 1 };
  const handler = createActionHandler({
    hosted: hosted as unknown as HostedSession,
    actions: new Map(actions.map((action) => [action.name, action])),
  });
  const serving = bus.serve(subjectOf(number.slotId), handler);
  const callSession = createCallSession({ bus, machineClock: clock, changesHands: async () => changesHands });
  return { clock, bus, handler, serving, callSession };
}

const failing = (error: Error) => setUp({ groups: { list: () => Promise.reject(error) } }).callSession;

describe('a call to a session', () => {
  it('reaches the method of the network that it names, with its arguments, and brings the answer back', async () => {
    const rename = vi.fn(async () => {});
    const list = async () => [{ jid: '1@g.us', name: 'Friends' }];
    const { callSession } = setUp({ groups: { rename, list } });
    expect(await callSession(number, 'groups.list', [])).toEqual([{ jid: '1@g.us', name: 'Friends' }]);
    await callSession(number, 'groups.rename', ['1@g.us', 'Family']);
    expect(rename).toHaveBeenCalledWith('1@g.us', 'Family');
  });

  it('reaches what other rooms do beside a session', async () => {
    const greet: HostAction<{ name: string }, string> = {
      name: 'test.greet',
      run: async (hosted, { name }) => `${name} from ${hosted.number.phone}`,
    };
    const { callSession } = setUp({}, [greet]);
    expect(await callSession(number, greet, { name: 'Hello' })).toBe('Hello from 15550001001');
  });

  it('of a number that nobody hosts is refused as such', async () => {
    const { callSession, serving } = setUp({});
    serving.stop();
    await expect(callSession(number, 'groups.list', [])).rejects.toMatchObject({
      code: 'session_not_hosted',
    });
  });

  it('of a number without a connection is refused, whatever could be answered without one', async () => {
    const { callSession } = setUp({ groups: { list: async () => [] }, state: { kind: 'connecting' } });
    await expect(callSession(number, 'groups.list', [])).rejects.toMatchObject({
      code: 'session_not_hosted',
    });
  });

  describe('of a number between two hosts', () => {
    /** A clock that runs a hundred times as fast as the machine's. */
    function run(clock: TravelClock): void {
      const running = setInterval(() => clock.advance(100), 1);
      onTestFinished(() => clearInterval(running));
    }

    it('waits for the next one', async () => {
      const { callSession, clock, bus, handler, serving } = setUp(
        { groups: { list: async () => [] } },
        [],
        true,
      );
      serving.stop();
      clock.after(1_000, () => bus.serve(subjectOf(number.slotId), handler));
      run(clock);
      expect(await callSession(number, 'groups.list', [])).toEqual([]);
    });

    it('waits for three seconds at most', async () => {
      const { callSession, clock, serving } = setUp({}, [], true);
      serving.stop();
      run(clock);
      await expect(callSession(number, 'groups.list', [])).rejects.toMatchObject({
        code: 'session_not_hosted',
      });
      expect(clock.monotonic()).toBeGreaterThanOrEqual(3_000);
    });
  });

  it('that meets a bus out of reach is refused as such', async () => {
    const bus = { call: () => Promise.reject(new BusUnreachable('cut')) };
    const clock = createSteppedClock();
    const callSession = createCallSession({ bus, machineClock: clock, changesHands: async () => true });
    await expect(callSession(number, 'groups.list', [])).rejects.toMatchObject({
      code: 'host_unreachable',
      status: 502,
    });
  });

  it.each([
    ['offline', 'session_not_hosted'],
    ['transient', 'network_unreachable'],
  ] as const)('that meets %s is refused as %s', async (kind, code) => {
    const callSession = failing(new NetworkError(kind, 'not now'));
    await expect(callSession(number, 'groups.list', [])).rejects.toMatchObject({ code });
  });

  it('of which the driver gives up first is refused as late all the same', async () => {
    const callSession = failing(new NetworkError('transient', 'no answer', { unanswered: true }));
    await expect(callSession(number, 'groups.list', [])).rejects.toMatchObject({ code: 'network_timeout' });
  });

  it.each(['refused', 'not_found', 'malformed', 'permanent'] as const)(
    'that meets %s gets the network’s own word for it',
    async (kind) => {
      const callSession = failing(new NetworkError(kind, 'no', { failure: 'media' }));
      const error = await callSession(number, 'groups.list', []).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({ kind, message: 'no', failure: 'media' });
    },
  );

  it('brings the fault of a host action back as it is', async () => {
    const refuse: HostAction<null, null> = {
      name: 'test.refuse',
      run: () => Promise.reject(fault('session_rate_exceeded', { retryAfterSeconds: 7 })),
    };
    const { callSession } = setUp({}, [refuse]);
    await expect(callSession(number, refuse, null)).rejects.toMatchObject({
      code: 'session_rate_exceeded',
      status: 429,
      retryAfterSeconds: 7,
    });
  });

  it('gives up after twenty seconds', async () => {
    const { callSession, clock } = setUp({ groups: { list: () => new Promise(() => {}) } });
    const call = callSession(number, 'groups.list', []);
    clock.advance(19_999);
    clock.advance(1);
    await expect(call).rejects.toMatchObject({ code: 'network_timeout' });
  });

  it('is refused while five others run, and not a moment longer', async () => {
    const finish: (() => void)[] = [];
    const list = () => new Promise<[]>((resolve) => finish.push(() => resolve([])));
    const { callSession } = setUp({ groups: { list } });
    const running = Array.from({ length: 5 }, () => callSession(number, 'groups.list', []));
    await vi.waitFor(() => expect(finish).toHaveLength(5));
    await expect(callSession(number, 'groups.list', [])).rejects.toMatchObject({
      code: 'too_many_actions',
      retryAfterSeconds: 1,
    });
    finish.shift()?.();
    await Promise.race(running);
    const sixth = callSession(number, 'groups.list', []);
    await vi.waitFor(() => expect(finish).toHaveLength(5));
    for (const end of finish) end();
    await Promise.all([...running, sixth]);
  });

  it.each(['session.send', 'groups.constructor', 'groups', 'toString.call', ''])(
    'cannot reach %o, whoever made it up',
    async (action) => {
      const { callSession } = setUp({ groups: {} });
      await expect(callSession(number, { name: action }, [])).rejects.toThrow('session.slot_1 failed');
    },
  );
});
