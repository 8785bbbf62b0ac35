import { setTimeout } from 'node:timers/promises';
import { startWire, type Wire } from '@parley/sandbox/wire';
import { createWorld, type World } from '@parley/sandbox/world';
import type { BinaryNode } from 'baileys';
import { createProxyRoutes } from '#egress';
import { type Clock, createSealedBox, createSystemClock, systemRandom } from '#kernel';
import type { Store } from '#store';
import { borrowStore, createSqliteDatabase } from '#store/testing';
import type { NetworkDriver } from '../../port.ts';
import type { Endpoint, WhatsAppSettings } from '../dependencies.ts';
import { createWhatsAppDriver } from '../driver.ts';
import type { Log } from '../guards/index.ts';
import type { CreateAddressing } from '../send/addressing.ts';

/** For tests only: the driver over the real wire, against a sandbox in the same process, on a store in a temporary folder. */
export interface WireHarness {
  readonly world: World;
  readonly wire: Wire;
  readonly store: Store;
  readonly driver: NetworkDriver;
  /** Ends the driver as a crash would: nothing more is written, nothing acknowledged, nobody called back. */
  crash(): Promise<NetworkDriver>;
  /** Everything that linked devices have said since they came online, oldest first. */
  readonly heard: readonly BinaryNode[];
  /** Takes stanzas away from the network: for those that it answers, that answer comes instead of the network's own. */
  intercept(answer: (stanza: BinaryNode) => BinaryNode | undefined): void;
  /** By the clock that the driver and the network share. */
  now(): number;
  /** Moves the time of the driver and of the network, which also passes by itself, and lets what fell due reach the other side. */
  advance(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

export interface WireHarnessOptions {
  readonly settings?: WhatsAppSettings;
  /** Another place or another root than the sandbox's own. */
  readonly endpoint?: Partial<Endpoint>;
  /** The proxy that every number goes out through. */
  readonly proxy?: string;
  /** Where files pass through; one among the temporary ones unless told. */
  readonly folder?: string;
  /** In place of the driver's own way to address people. */
  readonly createAddressing?: CreateAddressing;
  readonly log?: Log;
}

/** What was caused by moving the time needs some of the machine's own to cross the wire. */
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
  const heard: BinaryNode[] = [];
  let answerTo: Parameters<WireHarness['intercept']>[0] = () => undefined;
  const wire = await startWire({
    world,
    clock,
    random: systemRandom,
    overhear(stanza, sessionId) {
      heard.push(stanza);
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
    heard,
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
