import type { OperationId } from '@parley/contract';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { apiError, createSteppedClock, type TravelClock } from '#kernel';
import { NetworkError, type NetworkSession } from '#network';
import { BusUnreachable, createLocalBus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import { createActionHandler, createRemoteHosts, subjectOf } from './session-rpc.ts';
import type { HostAction, HostedSession } from './types.ts';

const number: OwnedNumber = { slotId: 'slot_1', accountId: 'acc_1', phone: '15550001001', plan: 'max' };

/** A host on a bus, whose session answers as the test sets it. */
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
  const getHost = createRemoteHosts({ bus, machineClock: clock, changesHands: async () => changesHands });
  return { clock, bus, handler, serving, getHost };
}

const failing = (error: Error) => setUp({ groups: { list: () => Promise.reject(error) } }).getHost;

describe('a call to a session', () => {
  it('runs the named method of the network with its arguments, and returns the answer', async () => {
    const rename = vi.fn(async () => {});
    const list = async () => [{ jid: '1@g.us', name: 'Friends' }];
    const { getHost } = setUp({ groups: { rename, list } });
    expect(await getHost(number).groups.list()).toEqual([{ jid: '1@g.us', name: 'Friends' }]);
    await getHost(number).groups.rename('1@g.us', 'Family');
    expect(rename).toHaveBeenCalledWith('1@g.us', 'Family');
  });

  it('has the types of the method', () => {
    const { groups, run } = setUp({}).getHost(number);
    expectTypeOf(groups.rename).parameters.toEqualTypeOf<[group: string, name: string]>();
    expectTypeOf(groups.inviteCode).returns.resolves.toEqualTypeOf<string>();
    expectTypeOf(groups).not.toHaveProperty('renam');
    expectTypeOf(run).parameter(0).not.toEqualTypeOf<{ name: string }>();
    expect(groups.rename).toBeInstanceOf(Function);
  });

  it('runs host actions of other rooms', async () => {
    const greet: HostAction<{ name: string }, string> = {
      name: 'setTyping',
      run: async (hosted, { name }) => `${name} from ${hosted.number.phone}`,
    };
    const { getHost } = setUp({}, [greet]);
    expect(await getHost(number).run(greet, { name: 'Hello' })).toBe('Hello from 15550001001');
  });

  it('of a number without a host is refused as such', async () => {
    const { getHost, serving } = setUp({});
    serving.stop();
    await expect(getHost(number).groups.list()).rejects.toMatchObject({
      code: 'session_not_hosted',
    });
  });

  it('of a number without a connection is refused, even for actions that need none', async () => {
    const { getHost } = setUp({ groups: { list: async () => [] }, state: { kind: 'connecting' } });
    await expect(getHost(number).groups.list()).rejects.toMatchObject({
      code: 'session_not_hosted',
    });
  });

  describe('of a number between two hosts', () => {
    /** A clock a hundred times as fast as the machine's. */
    function run(clock: TravelClock): void {
      const running = setInterval(() => clock.advance(100), 1);
      onTestFinished(() => clearInterval(running));
    }

    it('waits for the next one', async () => {
      const { getHost, clock, bus, handler, serving } = setUp({ groups: { list: async () => [] } }, [], true);
      serving.stop();
      clock.after(1_000, () => bus.serve(subjectOf(number.slotId), handler));
      run(clock);
      expect(await getHost(number).groups.list()).toEqual([]);
    });

    it('waits for three seconds at most', async () => {
      const { getHost, clock, serving } = setUp({}, [], true);
      serving.stop();
      run(clock);
      await expect(getHost(number).groups.list()).rejects.toMatchObject({
        code: 'session_not_hosted',
      });
      expect(clock.monotonic()).toBeGreaterThanOrEqual(3_000);
    });
  });

  it('with the bus out of reach is refused as such', async () => {
    const bus = { call: () => Promise.reject(new BusUnreachable('cut')) };
    const clock = createSteppedClock();
    const getHost = createRemoteHosts({ bus, machineClock: clock, changesHands: async () => true });
    await expect(getHost(number).groups.list()).rejects.toMatchObject({
      code: 'host_unreachable',
      status: 502,
    });
  });

  it.each([
    ['offline', 'session_not_hosted'],
    ['transient', 'network_unreachable'],
  ] as const)('that meets %s is refused as %s', async (kind, code) => {
    const getHost = failing(new NetworkError(kind, 'not now'));
    await expect(getHost(number).groups.list()).rejects.toMatchObject({ code });
  });

  it('that the driver times out first is refused as late as well', async () => {
    const getHost = failing(new NetworkError('transient', 'no answer', { unanswered: true }));
    await expect(getHost(number).groups.list()).rejects.toMatchObject({ code: 'network_timeout' });
  });

  it.each(['refused', 'not_found', 'malformed', 'permanent'] as const)(
    'that fails with %s gets the network’s own error',
    async (kind) => {
      const getHost = failing(new NetworkError(kind, 'no', { failure: 'media' }));
      const error = await getHost(number)
        .groups.list()
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({ kind, message: 'no', failure: 'media' });
    },
  );

  it('returns the error of a host action unchanged', async () => {
    const refuse: HostAction<null, null> = {
      name: 'setTyping',
      run: () => Promise.reject(apiError('session_rate_exceeded', { retryAfterSeconds: 7 })),
    };
    const { getHost } = setUp({}, [refuse]);
    await expect(getHost(number).run(refuse, null)).rejects.toMatchObject({
      code: 'session_rate_exceeded',
      status: 429,
      retryAfterSeconds: 7,
    });
  });

  it('times out after twenty seconds', async () => {
    const { getHost, clock } = setUp({ groups: { list: () => new Promise(() => {}) } });
    const call = getHost(number).groups.list();
    clock.advance(19_999);
    clock.advance(1);
    await expect(call).rejects.toMatchObject({ code: 'network_timeout' });
  });

  it('is refused while five others run, and no longer', async () => {
    const finish: (() => void)[] = [];
    const list = () => new Promise<[]>((resolve) => finish.push(() => resolve([])));
    const { getHost } = setUp({ groups: { list } });
    const running = Array.from({ length: 5 }, () => getHost(number).groups.list());
    await vi.waitFor(() => expect(finish).toHaveLength(5));
    await expect(getHost(number).groups.list()).rejects.toMatchObject({
      code: 'too_many_actions',
      retryAfterSeconds: 1,
    });
    finish.shift()?.();
    await Promise.race(running);
    const sixth = getHost(number).groups.list();
    await vi.waitFor(() => expect(finish).toHaveLength(5));
    for (const end of finish) end();
    await Promise.all([...running, sixth]);
  });

  it.each(['session.send', 'groups.constructor', 'groups', 'toString.call', ''])(
    'refuses the unknown action %o',
    async (action) => {
      const { getHost } = setUp({ groups: {} });
      await expect(getHost(number).run({ name: action as OperationId }, [])).rejects.toThrow(
        'session.slot_1 failed',
      );
    },
  );
});
