import type { Bus } from '#bus';
import type { EventLog } from '#event-log';
import {
  type Clock,
  coalesce,
  fault,
  inBackground,
  neverRejects,
  type Random,
  type SealedBox,
  waitAtMost,
} from '#kernel';
import type { NetworkDriver } from '#network';
import type { Store } from '#store';
import { createLinkEnder } from '../ending/link-ender.ts';
import { createPairingService, type PairingServiceParts } from '../pairing/pairing-service.ts';
import { createPairingSecrets } from '../pairing/sealed.ts';
import { linkHasEnded, setAutoReject } from '../store.ts';
import type {
  ActionHandle,
  AnyHostAction,
  HostAction,
  HostedSession,
  HostedSessions,
  KnownPeopleSink,
  Log,
  NetworkEventSink,
  PastSink,
  StandingSink,
} from '../types.ts';
import { FREE_TOPIC, SessionHost } from './host.ts';
import { createLease } from './lease.ts';

/** The part of a process that hosts sessions and conducts pairing attempts, as long as it holds its lease. */
export interface Worker {
  readonly hosted: HostedSessions;
  /** Undefined when the session is not connected in this process. */
  connectedSince(slotId: string): number | undefined;
  start(): Promise<void>;
  /** Hands everything over to whoever comes next. */
  stop(): Promise<void>;
  /** Readiness: rejects while this process may not host. */
  check(): Promise<void>;
  figures(): { readonly worker: string | undefined; readonly hosted: number; readonly connected: number };
}

export interface WorkerParts {
  readonly store: Store;
  readonly bus: Bus;
  readonly driver: NetworkDriver;
  readonly events: EventLog;
  /** The gateway's sense of time, which the sandbox can move. */
  readonly clock: Clock;
  /** The machine's, for what is about processes and sockets: leases, signs of life. */
  readonly machineClock: Clock;
  readonly random: Random;
  readonly sealedBox: SealedBox;
  readonly log: Log;
  readonly onNetworkEvents: NetworkEventSink;
  readonly onStanding: StandingSink;
  readonly onKnownPeople: KnownPeopleSink;
  readonly onPast: PastSink;
  /** Told how each pairing ended that was conducted here, for whoever counts. */
  readonly onPairingEnded?: PairingServiceParts['onPairingEnded'];
  /** What other rooms do beside a session. */
  readonly actions: readonly AnyHostAction[];
  readonly machine: string;
  readonly alone: boolean;
  /** Told of the name under which it hosts, with every renewal. */
  readonly onLeased?: (worker: string) => void;
}

/** Ends the link of a number that has lost it already. Answers whether the network knows. */
export const logOutAtHost: ActionHandle<{ linkId: string }, boolean> = { name: 'sessions.log_out' };
export const setAutoRejectAtHost: ActionHandle<{ enabled: boolean }, null> = {
  name: 'sessions.set_auto_reject',
};

/** Answers if the number has a connection: what is read of it must be as true as what is done with it. */
export const askHost: ActionHandle<null, null> = { name: 'sessions.ask' };

/** How long a pairing waits for its session to connect before it is called paired all the same. */
const ARRIVAL_MS = 5_000;

export function createWorker(given: WorkerParts): Worker {
  const parts = { ...given, secrets: createPairingSecrets(given.sealedBox) };
  const { store, machineClock, log } = parts;
  let isStopping = false;
  const logOut: HostAction<{ linkId: string }, boolean> = {
    ...logOutAtHost,
    worksOffline: true,
    async run({ number, session }, { linkId }) {
      // The number was linked again meanwhile: what is hosted now is not what is to end.
      if (session.linkId !== linkId) throw fault('session_not_hosted');
      const isTold = await host.logOut(number.slotId);
      if (isTold) await linkHasEnded(store, linkId);
      return isTold;
    },
  };
  const autoReject: HostAction<{ enabled: boolean }, null> = {
    ...setAutoRejectAtHost,
    async run({ session }, { enabled }) {
      await setAutoReject(store, session.linkId, enabled);
      session.calls.setAutoReject(enabled);
      return null;
    },
  };
  const present: HostAction<null, null> = { ...askHost, run: async () => null };
  const actions = new Map(
    [...parts.actions, logOut, autoReject, present].map((action) => [action.name, action]),
  );
  const host = new SessionHost({ ...parts, actions, mayHost: () => lease.holds() });
  const ender = createLinkEnder(parts);
  const pairing = createPairingService({
    ...parts,
    async host(claimed) {
      const hosting = await host.adopt(claimed);
      neverRejects(ender.attend());
      await waitAtMost(machineClock, ARRIVAL_MS, hosting.arrived);
    },
  });
  const lease = createLease({
    ...parts,
    clock: machineClock,
    onHeld(worker) {
      parts.onLeased?.(worker);
      neverRejects(attend());
    },
    onLost() {
      host.dropAll();
      inBackground(pairing.cancelAll(), log, 'pairings of a lost lease could not be cancelled');
    },
  });

  /** Where the database is slow, a renewal comes before the last one was attended to: then they are attended to in one go after it. */
  function oneAtATime(part: { attend(worker: string): Promise<void> }): () => Promise<void> {
    return coalesce(async () => {
      const { worker } = lease;
      if (worker === undefined || isStopping) return;
      await part.attend(worker).catch((error: unknown) => {
        log.warn({ err: error }, 'could not attend to everything; it is tried again with the next renewal');
      });
    });
  }

  const attendTo = [host, pairing].map(oneAtATime);

  async function attend(): Promise<void> {
    await Promise.all(attendTo.map((each) => each()));
    if (!isStopping) await ender.attend();
  }

  return {
    hosted: host.hosted,
    connectedSince(slotId) {
      const hosting = host.find(slotId);
      return hosting?.isUp ? hosting.since : undefined;
    },
    start: lease.start,
    async stop() {
      isStopping = true;
      await pairing.stop();
      await ender.stop();
      await host.stop();
      await lease.release();
      // With one worker less, everybody's share has grown.
      parts.bus.publish(FREE_TOPIC, null);
    },
    figures: () => ({
      worker: lease.worker,
      hosted: host.size,
      connected: host.hosted.connected().length,
    }),
    async check() {
      if (lease.worker === undefined) throw fault('not_ready', { part: 'worker' });
    },
  };
}

/** What a process without the role of a worker hosts. */
export const nothingHosted: HostedSessions = {
  get: (): HostedSession | undefined => undefined,
  connected: () => [],
  onChange: () => () => {},
};
