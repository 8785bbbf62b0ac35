import { setImmediate as turn } from 'node:timers/promises';
import { createWorld } from '@parley/sandbox/world';
import { afterEach, expect, it, vi } from 'vitest';
import { createEventLog } from '#events';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import { createFakeDriver } from '#network/testing/fake';
import { createLocalBus } from '#platform/bus';
import { useStore } from '#testing';
import { linkNumbers } from '../testing/rows.ts';
import { claimSessions } from './hosting-queries.ts';
import { HostingPool } from './pool.ts';

const COMMANDS = ['events', 'sessions'].map(
  (room) => new URL(`../../${room}/write-commands.ts`, import.meta.url),
);
const testStore = useStore('SQLite', 'new for each test', COMMANDS);
let close = async (): Promise<void> => {};
afterEach(() => close());

/** A pool, and a session claimed for it whose connection comes up on `connect`. */
async function createPool(onWritten: (pool: HostingPool) => void = () => {}) {
  const { store } = testStore;
  const clock = createSteppedClock();
  const random = systemRandom;
  const bus = createLocalBus({ clock });
  const world = createWorld({ file: ':memory:', clock, random });
  const sealedBox = createSealedBox({ masterKeys: [random.bytes(32)], random });
  const driver = createFakeDriver({ world, clock, random });
  const mayConnect = Promise.withResolvers<void>();
  await linkNumbers(store, 1);
  const [claimed] = await claimSessions(store, { worker: 'here', limit: 1, now: 0, machineNow: 0 });
  if (!claimed) throw new Error('nothing was claimed');
  const { phone, slotId } = claimed.number;
  world.phones.create(phone, { name: 'Ada' });
  const isPaired = Promise.withResolvers<string>();
  driver.pair({
    ...{ linkId: claimed.row.link_id, phone, method: 'qr' },
    onProgress(progress) {
      if (progress.kind === 'qr') void driver.pairing.scan(phone, progress.qr);
      if (progress.kind === 'paired') isPaired.resolve(progress.sessionId);
    },
  });
  const sessionId = await isPaired.promise;
  const onFreeSlot = vi.fn();
  const onChange = vi.fn();
  const pool: HostingPool = new HostingPool({
    ...{ store, bus, clock, machineClock: clock, random, onFreeSlot, actions: new Map() },
    driver: {
      open: (request) =>
        driver.open({
          ...request,
          onState: (state) => void mayConnect.promise.then(() => request.onState(state)),
        }),
    },
    events: createEventLog({ store, bus, sealedBox, clock }),
    log: { info() {}, warn() {} },
    onNetworkEvents: async () => {},
    onStanding() {},
    onKnownPeople: async () => {},
    onPast: () => undefined,
    mayHost: () => true,
    onWritten: () => onWritten(pool),
  });
  pool.onChange(onChange);
  close = async () => {
    await pool.stop();
    world.close();
    await bus.close();
  };
  const taken = async (afterMs = 0): Promise<void> => {
    await vi.waitFor(() => expect(pool.get(slotId)?.isUp).toBe(true));
    clock.advance(afterMs);
    const stranger = world.mailboxes.attach(sessionId, { item() {}, closed() {} });
    await vi.waitFor(() => expect(pool.resting()).toHaveLength(1));
    await pool.hasLeft(slotId);
    stranger.detach();
  };
  return {
    ...{ pool, claimed, slotId, clock, world, sessionId, onFreeSlot, onChange },
    ...{ taken, connect: mayConnect.resolve },
  };
}

it('counts a number as leaving until each of its hostings has left', async () => {
  const { pool, claimed, slotId } = await createPool();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  expect(pool.hasLeft(slotId)).toBeUndefined();
  const [former, last] = [first, second].map(({ promise }) => {
    const hosting = pool.start(claimed);
    return pool.stopHosting(hosting, () => hosting.close().then(() => promise));
  });
  expect(pool.hasLeft(slotId)).toBe(last);
  first.resolve();
  await former;
  expect(pool.hasLeft(slotId)).toBe(last);
  expect(pool.knows(slotId)).toBe(true);
  second.resolve();
  await last;
  expect(pool.hasLeft(slotId)).toBeUndefined();
  expect(pool.knows(slotId)).toBe(false);
});

it('frees a login slot when a session has connected, or was stopped before, and reports it once', async () => {
  const { pool, claimed, connect, onFreeSlot } = await createPool();
  const { freeSlots } = pool;
  const hosting = pool.start(claimed);
  expect(pool.freeSlots).toBe(freeSlots - 1);
  await pool.stopHosting(hosting);
  await turn();
  expect(pool.freeSlots).toBe(freeSlots);
  expect(onFreeSlot).toHaveBeenCalledOnce();
  pool.start(claimed);
  connect();
  await vi.waitFor(() => expect(pool.freeSlots).toBe(freeSlots));
  expect(onFreeSlot).toHaveBeenCalledTimes(2);
});

it('frees a login slot after ten seconds at the latest', async () => {
  const { pool, claimed, clock, connect, onFreeSlot } = await createPool();
  const { freeSlots } = pool;
  pool.start(claimed);
  clock.advance(9_999);
  expect(pool.freeSlots).toBe(freeSlots - 1);
  clock.advance(1);
  expect(pool.freeSlots).toBe(freeSlots);
  connect();
  await vi.waitFor(() => expect(pool.all().every(({ isUp }) => isUp)).toBe(true));
  expect(onFreeSlot).toHaveBeenCalledOnce();
});

it('reports when a number starts, comes up and is stopped', async () => {
  const { pool, claimed, slotId, connect, onChange } = await createPool();
  const hosting = pool.start(claimed);
  expect(onChange.mock.calls).toEqual([[slotId]]);
  connect();
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
  expect(hosting.isUp).toBe(true);
  await pool.stopHosting(hosting);
  expect(onChange.mock.calls).toEqual([[slotId], [slotId], [slotId]]);
});

it('rests for 30 seconds, twice as long with each replacement within ten minutes', async () => {
  const { pool, claimed, slotId, clock, taken, connect } = await createPool();
  connect();
  pool.start(claimed);
  for (const [afterMs, restMs] of [
    [0, 30_000],
    [0, 60_000],
    [599_999, 120_000],
    [600_000, 30_000],
  ] as const) {
    await taken(afterMs);
    clock.advance(restMs - 1);
    await turn();
    expect(pool.get(slotId)).toBeUndefined();
    clock.advance(1);
  }
  await vi.waitFor(() => expect(pool.get(slotId)).toBeDefined());
});

it('ends the rest of a number that is stopped with all others', async () => {
  const { pool, claimed, slotId, clock, taken, connect } = await createPool();
  connect();
  pool.start(claimed);
  await taken();
  expect(pool.knows(slotId)).toBe(true);
  pool.stopAll();
  expect(pool.knows(slotId)).toBe(false);
  clock.advance(3_600_000);
  await turn();
  expect(pool.size).toBe(0);
});

it('starts the backoff from its first step when the hosting has ended otherwise', async () => {
  const { pool, claimed, slotId, clock, world, sessionId, taken, connect } = await createPool();
  connect();
  pool.start(claimed);
  await taken();
  clock.advance(30_000);
  await vi.waitFor(() => expect(pool.get(slotId)?.isUp).toBe(true));
  const writeFence = (fence: number) =>
    testStore.store.transaction((trx) => trx.updateTable('sessions').set({ fence }).execute());
  await writeFence(claimed.row.fence + 1);
  world.faults.arm(sessionId, { kind: 'disconnect', count: 1, ms: 0 });
  await vi.waitFor(() => expect(pool.size).toBe(0));
  await pool.hasLeft(slotId);
  expect(pool.resting()).toEqual([]);
  await writeFence(claimed.row.fence);
  pool.start(claimed);
  await taken();
  clock.advance(30_000);
  await vi.waitFor(() => expect(pool.get(slotId)).toBeDefined());
});

it('counts a number as down as soon as its link has ended, before that is written', async () => {
  const seen: (boolean | undefined)[] = [];
  const { pool, claimed, slotId, world, sessionId, connect } = await createPool((current) =>
    seen.push(current.get(slotId)?.isUp),
  );
  connect();
  pool.start(claimed);
  await vi.waitFor(() => expect(seen).toEqual([true]));
  world.devices.unlink(sessionId);
  await vi.waitFor(() => expect(pool.size).toBe(0));
  expect(seen).toEqual([true, false]);
});

it('sends no probe in the minute after a connection came up', async () => {
  const { pool, claimed, clock, connect } = await createPool();
  const { hosted } = pool.start(claimed);
  const probe = vi.spyOn(hosted.session, 'probe');
  clock.advance(75_000);
  connect();
  await vi.waitFor(() => expect(pool.all().every(({ isUp }) => isUp)).toBe(true));
  clock.advance(60_000);
  expect(probe).not.toHaveBeenCalled();
  clock.advance(20_000);
  expect(probe).toHaveBeenCalled();
});
