import type { World } from '@parley/sandbox/world';
import type { EventLog } from '#events';
import type { Clock, Ids, Random, SealedBox } from '#kernel';
import type { NetworkDriver, NetworkEvent } from '#network';
import { createFakeDriver, type FakeDriver } from '#network/testing/fake';
import type { Bus, Subscription } from '#platform/bus';
import type { Store } from '#platform/store';
import { createWorker, type Worker } from '../hosting/worker.ts';
import { createSessions, type Sessions } from '../sessions.ts';
import type { AnyHostAction, HostedSession } from '../types.ts';

/** For tests only: a process of the gateway that can die or lose its database. */
export interface Process {
  readonly sessions: Sessions;
  readonly worker: Worker | undefined;
  readonly driver: FakeDriver;
  /** Events that the sessions of this process received. */
  readonly inbound: { readonly hosted: HostedSession; readonly event: NetworkEvent }[];
  /** Its log lines. */
  readonly logged: ({ readonly message: string } & Record<string, unknown>)[];
  /** Dies at once: nothing more is written, sent, served or called back. */
  crash(): void;
  /** No write gets through until the result is called. */
  cutOff(): () => void;
  /** Stops its timers, as in a process that stood still: only I/O still arrives. */
  freeze(): void;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** True: no other process can be alive. */
  readonly alone?: boolean;
  readonly actions?: readonly AnyHostAction[];
  /** False: serves requests only. */
  readonly hosts?: boolean;
  /** Wraps the driver of the sessions. */
  readonly wrap?: (driver: NetworkDriver) => NetworkDriver;
}

export interface ProcessParts {
  readonly store: Store;
  readonly bus: Bus;
  readonly world: World;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly sealedBox: SealedBox;
}

interface Fate {
  isDead: boolean;
  isCutOff: boolean;
  isFrozen: boolean;
}

export function createProcess(parts: ProcessParts, options: ProcessOptions = {}): Process {
  const { world } = parts;
  const fate: Fate = { isDead: false, isCutOff: false, isFrozen: false };
  const clock = mortalClock(parts.clock, fate);
  const machineClock = mortalClock(parts.machineClock, fate);
  const subscriptions = new Set<Subscription>();
  const driver = createFakeDriver({ world, clock, random: parts.random });
  const inbound: Process['inbound'] = [];
  const logged: Process['logged'] = [];
  const common = {
    ...parts,
    store: mortalStore(parts.store, fate),
    bus: mortalBus(parts.bus, subscriptions),
    clock,
    machineClock,
    log: { info: (details: object, message: string) => void logged.push({ ...details, message }), warn() {} },
  };
  const worker =
    options.hosts === false
      ? undefined
      : createWorker({
          ...common,
          driver: options.wrap?.(driver) ?? driver,
          onNetworkEvents: async (hosted, events) => {
            for (const event of events) inbound.push({ hosted, event });
          },
          onStanding() {},
          onKnownPeople: async () => {},
          onPast: () => undefined,
          actions: options.actions ?? [],
          machine: 'test',
          alone: options.alone ?? false,
        });
  const sessions = createSessions({
    ...common,
    mayLink: async () => true,
    worker,
  });

  return {
    sessions,
    worker,
    driver,
    inbound,
    logged,
    crash() {
      fate.isDead = true;
      driver.crash();
      for (const subscription of subscriptions) subscription.stop();
    },
    cutOff() {
      fate.isCutOff = true;
      return () => {
        fate.isCutOff = false;
      };
    },
    freeze() {
      fate.isFrozen = true;
    },
    async stop() {
      if (fate.isDead) return;
      sessions.close();
      await worker?.stop();
      await driver.close();
      fate.isDead = true;
    },
  };
}

const never = <T>(): Promise<T> => new Promise(() => {});

function mortalStore(store: Store, fate: Fate): Store {
  const guard = async <T>(write: () => Promise<T>): Promise<T> => {
    if (fate.isDead) return never();
    if (fate.isCutOff) throw new Error('out of reach');
    return write();
  };
  return {
    ...store,
    run: (command, item) => guard(() => store.run(command, item)),
    transaction: (work) => guard(() => store.transaction(work)),
  };
}

function mortalClock(clock: Clock, fate: Fate): Clock {
  const after: Clock['after'] = (ms, action) =>
    clock.after(ms, () => fate.isDead || fate.isFrozen || action());
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after,
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

function mortalBus(bus: Bus, subscriptions: Set<Subscription>): Bus {
  const keep = (subscription: Subscription): Subscription => {
    subscriptions.add(subscription);
    return subscription;
  };
  return {
    ...bus,
    serve: (subject, handle) => keep(bus.serve(subject, handle)),
    subscribe: (topic, listener) => keep(bus.subscribe(topic, listener)),
  };
}
