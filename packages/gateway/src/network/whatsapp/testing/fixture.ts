import { setTimeout } from 'node:timers/promises';
import { startWire, type Wire } from '@parley/sandbox/wire';
import { createWorld, type World } from '@parley/sandbox/world';
import type { BinaryNode, proto } from 'baileys';
import { type Clock, createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { createProxyRoutes } from '#platform/egress';
import type { Store } from '#platform/store';
import { borrowStore, createSqliteDatabase } from '#platform/store/testing';
import type { NetworkDriver } from '../../port.ts';
import type { Endpoint, WhatsAppSettings } from '../dependencies.ts';
import { createWhatsAppDriver } from '../driver.ts';
import type { Log } from '../guards/index.ts';
import type { CreateAddressing } from '../send/addressing.ts';

/**
 * For tests only: the driver over the real wire, against a sandbox in the same process, on a store in a
 * temporary folder.
 */
export interface WireHarness {
  readonly world: World;
  readonly wire: Wire;
  readonly store: Store;
  readonly driver: NetworkDriver;
  /** Ends the driver as a crash would: no further write, acknowledgement or callback. */
  crash(): Promise<NetworkDriver>;
  /** All stanzas of linked devices since they came online, oldest first. */
  readonly received: readonly BinaryNode[];
  /** What clients introduced themselves with, oldest first. */
  readonly clients: readonly proto.IClientPayload[];
  /** Intercepts stanzas: those that it answers do not reach the network. */
  intercept(answer: (stanza: BinaryNode) => BinaryNode | undefined): void;
  /** The clock that driver and network share. */
  now(): number;
  /** Advances the clock of driver and network, which also runs normally, and lets due work reach the other side. */
  advance(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

export interface WireHarnessOptions {
  readonly settings?: WhatsAppSettings;
  /** Overrides URL or root of the sandbox. */
  readonly endpoint?: Partial<Endpoint>;
  /** Proxy for all numbers. */
  readonly proxy?: string;
  /** Folder for files in transit; default: a temporary one. */
  readonly folder?: string;
  /** Replaces the driver's choice of addresses. */
  readonly createAddressing?: CreateAddressing;
  readonly log?: Log;
}

/** Real time for the consequences of `advance` to cross the wire. */
const FOR_THE_WIRE_MS = 20;

export async function startWireHarness(options: WireHarnessOptions = {}): Promise<WireHarness> {
  const clock = createSystemClock();
  const world = createWorld({
    file: ':memory:',
    clock,
    random: systemRandom,
    addressing: 'lid',
    strictAddressing: true,
  });
  const received: BinaryNode[] = [];
  const clients: proto.IClientPayload[] = [];
  let answerTo: Parameters<WireHarness['intercept']>[0] = () => undefined;
  const wire = await startWire({
    world,
    clock,
    random: systemRandom,
    onClient: (payload) => clients.push(payload),
    intercept(stanza, sessionId) {
      received.push(stanza);
      const answer = answerTo(stanza);
      if (answer) wire.say(sessionId, answer);
      return answer !== undefined;
    },
  });
  const { store, giveBack } = await borrowStore(createSqliteDatabase, {
    commandModules: [new URL('../vault/write-commands.ts', import.meta.url)],
  });
  const sealedBox = createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom });
  const { url, rootPublicKey } = wire;
  const routes = createProxyRoutes({
    clock,
    authority: wire.mediaCaPem,
    mediaHost: wire.mediaHost,
    hosts: [new URL(options.endpoint?.url ?? url).host, ...wire.mediaHosts],
    proxyOf: () => options.proxy,
  });

  function start(): { driver: NetworkDriver; die(): void } {
    const life = { over: false };
    const driver = createWhatsAppDriver({
      store: mortalStore(store, life),
      sealedBox,
      clock: mortalClock(clock, life),
      machineClock: mortalClock(clock, life),
      random: systemRandom,
      log: options.log ?? { debug() {}, warn() {} },
      endpoint: { url, rootPublicKey, ...options.endpoint },
      mediaFor: routes.to,
      ...(options.folder ? { folder: options.folder } : {}),
      ...(options.createAddressing ? { createAddressing: options.createAddressing } : {}),
      settings: { agentFor: (phone) => routes.to(phone).socketAgent, ...options.settings },
    });
    return {
      driver: mortalDriver(driver, life),
      die() {
        life.over = true;
      },
    };
  }

  let current = start();
  return {
    world,
    wire,
    store,
    get driver() {
      return current.driver;
    },
    received,
    clients,
    intercept(answer) {
      answerTo = answer;
    },
    async crash() {
      current.die();
      current = start();
      return current.driver;
    },
    now: () => clock.now(),
    async advance(ms) {
      clock.advance(ms);
      await setTimeout(FOR_THE_WIRE_MS);
    },
    async dispose() {
      await current.driver.close();
      await routes.close();
      await wire.stop();
      await giveBack();
      world.close();
    },
  };
}

interface Mortal {
  over: boolean;
}

const never = <T>(): Promise<T> => new Promise(() => {});

function mortalStore(store: Store, life: Mortal): Store {
  return {
    ...store,
    run: (command, item) => (life.over ? never() : store.run(command, item)),
    transaction: (work) => (life.over ? never() : store.transaction(work)),
  };
}

function mortalClock(clock: Clock, life: Mortal): Clock {
  return {
    ...clock,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, action) => clock.after(ms, () => life.over || action()),
  };
}

function mortalDriver(driver: NetworkDriver, life: Mortal): NetworkDriver {
  return {
    ...driver,
    open: (request) =>
      driver.open({
        ...request,
        onState: (state) => life.over || request.onState(state),
        onStanding: (news) => life.over || request.onStanding(news),
        onEvents: (events) => (life.over ? never() : request.onEvents(events)),
      }),
  };
}
