import type { ConnectionChange, EventOf, Onboarding } from '@parley/contract';
import { createWorld, type World } from '@parley/sandbox/world';
import { afterEach, vi } from 'vitest';
import { createAccount } from '#accounts';
import { createEventLog } from '#events';
import {
  createIds,
  createSealedBox,
  createSteppedClock,
  type SealedBox,
  systemRandom,
  type TravelClock,
} from '#kernel';
import { type Bus, createLocalBus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase, type TestStore, watchStore } from '#testing';
import { type OnboardContext, pollOnboarding, startOnboarding } from '../pairing/onboard.ts';
import { createPairingSecrets } from '../pairing/sealed.ts';
import { findSession, type HeldRow } from '../session-queries.ts';
import { createProcess, type Process, type ProcessOptions } from './process.ts';

/**
 * For tests only: one database, one network of virtual phones, and as many processes as a test starts, on a clock
 * that it moves.
 */
export interface TestHarness {
  readonly store: Store;
  readonly bus: Bus;
  readonly world: World;
  readonly clock: TravelClock;
  readonly machineClock: TravelClock;
  readonly onboard: OnboardContext;
  readonly sealedBox: SealedBox;
  startProcess(options?: ProcessOptions): Promise<Process>;
  /** Advances all clocks, in steps small enough for leases to be renewed on the way. */
  pass(ms: number): Promise<void>;
  /** A registered number with a phone on the network, not linked. */
  newNumber(): Promise<OwnedNumber>;
  /** Many of them, of one account. */
  newNumbers(count: number): Promise<OwnedNumber[]>;
  /** Pairs by QR, from the first request to the last poll. */
  link(number: OwnedNumber, process: Process): Promise<string>;
  start(number: OwnedNumber, method?: 'qr' | 'code'): Promise<string>;
  poll(number: OwnedNumber, id: string): Promise<Onboarding>;
  /** Polls until the attempt has this status, and returns it. */
  pollUntil(number: OwnedNumber, id: string, status: Onboarding['status']): Promise<Onboarding>;
  row(number: OwnedNumber): Promise<HeldRow | undefined>;
  /** Published connection events, oldest first. */
  publishedStates(number: OwnedNumber): Promise<ConnectionChange[]>;
}

/** Shorter than the pause between two renewals of a lease. */
const STEP_MS = 2_000;
export const ORIGIN = 'https://gateway.example.com';
const FIRST_PHONE = 15_551_000_000;
/** Tests on the shared database must not meet each other's numbers. */
let phones = 0;

const COMMANDS = ['events', 'sessions'].map(
  (room) => new URL(`../../${room}/write-commands.ts`, import.meta.url),
);

/** Emptied after each test, so that no number of another test has a session. */
const TABLES = ['sessions', 'onboardings', 'onboarding_links', 'workers', 'ending_links'] as const;

/** Runs the same tests on both databases, each on its own harness. */
export function describeSessions(title: string, tests: (harness: () => TestHarness) => void): void {
  describeOnEachDatabase(
    title,
    (testStore) => {
      let current: (TestHarness & { close(): Promise<void> }) | undefined;
      afterEach(async () => {
        await current?.close();
        current = undefined;
      });
      tests(() => {
        current ??= createTestHarness(testStore);
        return current;
      });
    },
    'shared by all tests',
    COMMANDS,
  );
}

function createTestHarness({ store }: TestStore): TestHarness & { close(): Promise<void> } {
  const clock = createSteppedClock();
  const machineClock = createSteppedClock();
  const random = systemRandom;
  const bus = createLocalBus({ clock: machineClock });
  const world = createWorld({ file: ':memory:', clock, random });
  const sealedBox = createSealedBox({ masterKeys: [random.bytes(32)], random });
  const ids = createIds({ clock, random });
  const secrets = createPairingSecrets(sealedBox);
  const onboard: OnboardContext = { store, bus, clock, machineClock, ids, secrets };
  const processes: Process[] = [];
  /** Work of the processes; not of the test, which may hold them up. */
  const watched = watchStore(store);

  const poll: TestHarness['poll'] = ({ accountId }, id) =>
    pollOnboarding(onboard, { accountId, phone: null, origin: ORIGIN }, id);
  const start: TestHarness['start'] = async ({ accountId, slotId }, method = 'qr') => {
    const { onboard_id: id } = await startOnboarding(onboard, { accountId, phone: null }, slotId, method);
    return id;
  };
  const pollUntil: TestHarness['pollUntil'] = (number, id, status) =>
    vi.waitFor(async () => {
      const seen = await poll(number, id);
      if (seen.status !== status) throw new Error(`still ${seen.status} ${seen.error ?? ''}`);
      return seen;
    });

  const newNumbers: TestHarness['newNumbers'] = async (count) => {
    const context = { store, clock, ids, random };
    const email = `${phones}@example.com`;
    const { account_id: accountId } = await createAccount(context, 'system', { name: 'Ada', email });
    const numbers = Array.from({ length: count }, (): OwnedNumber => {
      phones += 1;
      return { slotId: ids.slot(), accountId, phone: String(FIRST_PHONE + phones), plan: 'max' };
    });
    const now = clock.now();
    const devices = numbers.map(({ slotId, phone, plan }) => ({
      slot_id: slotId,
      account_id: accountId,
      phone,
      plan,
      status: 'active' as const,
      activated_at: now,
      created_at: now,
    }));
    await store.transaction((trx) => trx.insertInto('devices').values(devices).execute());
    for (const { phone } of numbers) world.phones.create(phone, { name: 'Ada' });
    return numbers;
  };

  return {
    store,
    bus,
    world,
    clock,
    machineClock,
    onboard,
    sealedBox,
    async startProcess(options) {
      const events = createEventLog({ store: watched, bus, sealedBox, clock });
      const parts = { store: watched, bus, world, events, clock, machineClock, random, ids, sealedBox };
      const process = createProcess(parts, options);
      processes.push(process);
      await process.worker?.start();
      return process;
    },
    async pass(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        const step = Math.min(left, STEP_MS);
        clock.advance(step);
        machineClock.advance(step);
        await watched.untilQuiet();
      }
    },
    async newNumber() {
      const [number] = await newNumbers(1);
      if (!number) throw new Error('no number was made');
      return number;
    },
    newNumbers,
    async link(number, { driver }) {
      const id = await start(number);
      const { qr = '' } = await pollUntil(number, id, 'qr');
      await driver.pairing.scan(number.phone, qr);
      const { session_id: sessionId = '' } = await pollUntil(number, id, 'paired');
      return sessionId;
    },
    start,
    poll,
    pollUntil,
    row: ({ slotId }) => findSession(store.read, slotId),
    async publishedStates({ slotId }) {
      const rows = await store.read
        .selectFrom('events')
        .select('body')
        .where('slot_id', '=', slotId)
        .where('kind', '=', 'connection')
        .orderBy('seq')
        .execute();
      return rows.map(({ body }) => (JSON.parse(body) as EventOf<'connection'>).event);
    },
    async close() {
      await Promise.all(processes.map((process) => process.stop()));
      world.close();
      await bus.close();
      await store.transaction(async (trx) => {
        for (const table of TABLES) await trx.deleteFrom(table).execute();
      });
    },
  };
}
