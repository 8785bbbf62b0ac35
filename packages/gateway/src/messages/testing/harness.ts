import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MessageState, parseSend } from '@parley/contract';
import { createWorld, type LinkedDevice, type World } from '@parley/sandbox/world';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import {
  createIds,
  createSeededRandom,
  createSteppedClock,
  createSystemClock,
  systemRandom,
  type TravelClock,
} from '#kernel';
import { createFakeDriver, type FakeDriver } from '#network/testing/fake';
import { type Bus, createLocalBus } from '#platform/bus';
import { createEgress, type Egress } from '#platform/egress';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import type { HostedSession, HostedSessions } from '#sessions';
import { type DatabaseName, type TestStore, useStore } from '#testing';
import { acceptSend } from '../accept/accept.ts';
import { createMediaSpool } from '../outbox/media-spool.ts';
import { type Outbox, startOutbox } from '../outbox/outbox.ts';
import { createReceiptRecorder } from '../receipts/recorder.ts';
import type { ReceiptNote } from '../receipts/write-commands.ts';
import {
  commandModules,
  eventLogOf,
  linkNumber,
  newNumber,
  noFiles,
  noHistories,
  noUsernames,
  START,
  sameChat,
  sealedBox,
  unpaced,
} from './rows.ts';

export const ada = '15550002001';
export const ben = '15550002002';

const GENEROUS = {
  plan: 'max',
  status: 'active',
  sendsPerMinute: 600,
  sendsPerPeriod: 1_000_000,
  activatedAt: START,
} as const;

/** A number that is linked on the virtual network and hosted here. */
export interface Sender {
  readonly number: OwnedNumber;
  readonly device: LinkedDevice;
  /**
   * Accepts a send, publishes it on the bus, and returns the message's id. Advances the clock as the limits require.
   */
  send(body: Record<string, unknown>, over?: Pick<Bus, 'publish'>): Promise<string>;
  text(text: string, to?: string): Promise<string>;
  /** A phone reports a receipt of the message. */
  receipt(messageId: string, status: ReceiptNote['status']): Promise<void>;
}

/** A gateway's outbox between a real database and a virtual network, on a stepped clock. */
export interface TestHarness {
  readonly store: Store;
  readonly clock: TravelClock;
  readonly world: World;
  readonly folder: string;
  readonly hosted: HostedSessions;
  /** Log texts of warnings and errors. */
  readonly troubles: string[];
  /** Log lines at `info`. */
  readonly lines: object[];
  newSender(): Promise<Sender>;
  /** Starts sending; `over` is its store. */
  start(over?: Store, egress?: Pick<Egress, 'download'>): Outbox;
  /** Makes another process the host of every number. */
  takeOver(): Promise<void>;
  untilStatus(messageId: string, status: MessageState): Promise<void>;
  /** Advances time until the message is sent. */
  untilSentOverTime(messageId: string): Promise<void>;
  /** Texts on a phone, oldest first. */
  textsOn(phone: string): string[];
}

export function useTestHarness(database: DatabaseName = 'SQLite'): TestHarness {
  const test: TestStore = useStore(database, 'shared by all tests', commandModules);
  let harness: TestHarness & { clear(): Promise<void> };
  beforeEach(() => {
    harness = createTestHarness(test.store);
  });
  afterEach(() => harness.clear());
  // The harness of the current test.
  return new Proxy({} as TestHarness, { get: (_, name) => Reflect.get(harness, name) });
}

function createTestHarness(store: Store): TestHarness & { clear(): Promise<void> } {
  const clock = createSteppedClock(START);
  const random = createSeededRandom(1);
  const world = createWorld({ file: ':memory:', clock, random });
  world.phones.create(ada, { name: 'Ada' });
  world.phones.create(ben, { name: 'Ben' });
  const driver = createFakeDriver({ world, clock, random });
  const bus = createLocalBus({ clock });
  const events = eventLogOf(store, clock);
  const receipts = createReceiptRecorder({ store, clock, sealedBox, histories: noHistories, events, bus });
  const ids = createIds({ clock, random: systemRandom });
  const folder = mkdtempSync(join(tmpdir(), 'parley-spool-'));
  const ownEgress = createEgress({ clock: createSystemClock(), publicOnly: false });
  const sessions = new Map<string, HostedSession>();
  const listeners = new Set<(slotId: string) => void>();
  const running: Outbox[] = [];
  const troubles: string[] = [];
  const lines: object[] = [];

  const hosted: HostedSessions = {
    get: (slotId) => sessions.get(slotId),
    connected: () =>
      [...sessions].flatMap(([slotId, { session }]) => (session.state.kind === 'connected' ? [slotId] : [])),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  async function host(number: OwnedNumber, fence: number): Promise<void> {
    const { slotId, phone } = number;
    await linkNumber(store, number, { fence });
    const onState = (): void => {
      for (const listener of listeners) listener(slotId);
    };
    const session = driver.open({
      linkId: slotId,
      fence,
      onState,
      onStanding() {},
      onEvents: async () => {},
    });
    const [device] = world.devices.of(phone);
    sessions.set(slotId, { number, session, fence, sessionId: device?.sessionId ?? '' });
    await vi.waitFor(() => expect(session.state.kind).toBe('connected'));
  }

  async function newSender(): Promise<Sender> {
    const number = await newNumber(store);
    world.phones.create(number.phone, { name: 'Parley' });
    const device = await pair(driver, number);
    await host(number, 1);
    let messageId = '';
    const context = {
      store,
      clock,
      ids: { message: () => (messageId = ids.message()) },
      sealedBox,
      sessions: { find: () => ({ sessionId: device.sessionId, status: 'connected', since: START }) as const },
      terms: { sendingTerms: () => GENEROUS },
      pacing: unpaced,
      media: noFiles,
      addressOf: noUsernames,
    };
    async function send(body: Record<string, unknown>, over: Pick<Bus, 'publish'> = bus): Promise<string> {
      const parsed = parseSend({ session_id: device.sessionId, ...body });
      if (!parsed.ok) throw new Error(parsed.text);
      await acceptSend({ ...context, bus: over }, number, parsed.send, ids.request(), ({ remaining }) => {
        if (remaining === 0) clock.advance(1_000);
      });
      return messageId;
    }
    async function receipt(messageId: string, status: ReceiptNote['status']): Promise<void> {
      await receipts.note({ slotId: number.slotId, messageId, status, at: clock.now() }, sameChat);
    }
    return { number, device, send, text: (text, to = ada) => send({ to, text }), receipt };
  }

  function start(over: Store = store, egress: Pick<Egress, 'download'> = ownEgress): Outbox {
    const spool = createMediaSpool({ folder, egress, library: noFiles, clock });
    const log = {
      debug() {},
      info: (facts: object, name: string) => void lines.push({ name, ...facts }),
      error(details: { err?: unknown }, message: string): void {
        troubles.push(`${message}: ${details.err}`);
      },
    };
    const outbox = startOutbox({
      ...{ store: over, clock, random, sealedBox, histories: noHistories },
      ...{ bus, hosted, events, spool, log },
    });
    running.push(outbox);
    return outbox;
  }

  return {
    store,
    clock,
    world,
    folder,
    hosted,
    troubles,
    lines,
    newSender,
    start,
    async takeOver() {
      for (const { number, session, fence } of [...sessions.values()]) {
        await session.close();
        await host(number, fence + 1);
      }
    },
    async untilStatus(messageId, status) {
      await vi.waitFor(async () => {
        const message = await store.read
          .selectFrom('messages')
          .select('status')
          .where('id', '=', messageId)
          .executeTakeFirst();
        expect(message?.status).toBe(status);
      });
    },
    async untilSentOverTime(messageId) {
      const message = store.read.selectFrom('messages').select('status').where('id', '=', messageId);
      const look = async (): Promise<void> => {
        clock.advance(2_000);
        expect(await message.executeTakeFirst()).toEqual({ status: 'sent' });
      };
      await vi.waitFor(look, { interval: 5 });
    },
    textsOn: (phone) =>
      world.messages.seenBy(phone).flatMap(({ content }) => (content.type === 'text' ? [content.text] : [])),
    async clear() {
      const stopped = Promise.all(running.map((outbox) => outbox.stop()));
      clock.advance(60_000);
      await stopped;
      await driver.close();
      await ownEgress.close();
      world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function pair(driver: FakeDriver, { slotId, phone }: OwnedNumber): Promise<LinkedDevice> {
  const { promise: qr, resolve } = Promise.withResolvers<string>();
  driver.pair({
    linkId: slotId,
    phone,
    method: 'qr',
    onProgress: (step) => step.kind === 'qr' && resolve(step.qr),
  });
  return driver.pairing.scan(phone, await qr);
}
