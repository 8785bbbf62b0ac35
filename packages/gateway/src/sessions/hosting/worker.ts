import type { EventLog } from '#events';
import {
  apiError,
  type Clock,
  coalesce,
  inBackground,
  neverRejects,
  type Random,
  type SealedBox,
  waitAtMost,
} from '#kernel';
import type { NetworkDriver } from '#network';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import { createUnlinkJobRunner } from '../ending/unlink-jobs.ts';
import { createLoginActions } from '../pairing/login-passkey.ts';
import { createPairingService, type PairingServiceParts } from '../pairing/pairing-service.ts';
import { createPairingSecrets } from '../pairing/sealed.ts';
import { finishUnlinkJob, setAutoReject } from '../session-queries.ts';
import type {
  ActionHandle,
  AnyHostAction,
  HostAction,
  HostedSession,
  HostedSessions,
  KnownContactsSink,
  Log,
  NetworkEventSink,
  NumberHealthSink,
  PastSink,
} from '../types.ts';
import { FREE_TOPIC, SessionHost } from './host.ts';
import { createLease } from './lease.ts';

/** Hosts sessions and conducts pairing attempts in this process while it holds its lease. */
export interface Worker {
  readonly hosted: HostedSessions;
  /** Undefined when the session is not connected in this process. */
  connectedSince(slotId: string): number | undefined;
  start(): Promise<void>;
  /** Hands everything over to the next worker. */
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
  /** The gateway's clock, which the sandbox can move. */
  readonly clock: Clock;
  /** The machine's clock, for leases and sockets. */
  readonly machineClock: Clock;
  readonly random: Random;
  readonly sealedBox: SealedBox;
  readonly log: Log;
  readonly onNetworkEvents: NetworkEventSink;
  readonly onStanding: NumberHealthSink;
  readonly onKnownPeople: KnownContactsSink;
  readonly onPast: PastSink;
  /** Called with the outcome of each pairing conducted here, for metrics. */
  readonly onPairingEnded?: PairingServiceParts['onPairingEnded'];
  /** Actions of other rooms beside a session. */
  readonly actions: readonly AnyHostAction[];
  readonly machine: string;
  readonly alone: boolean;
  /** Called with the worker's name at every renewal. */
  readonly onLeased?: (worker: string) => void;
}

/** Ends the link of a number that has lost it already. Answers whether the network has unlinked it. */
export const logOutAtHost: ActionHandle<{ linkId: string }, boolean> = { name: 'deleteSession' };
export const setAutoRejectAtHost: ActionHandle<{ enabled: boolean }, null> = {
  name: 'setCallAutoReject',
};

/** Answers only while the number is connected, so that reads fail like writes do. */
export const askHost: ActionHandle<null, null> = { name: 'getCallAutoReject' };

/** How long a paired session may take to connect before the pairing counts as paired anyway. */
const ARRIVAL_MS = 5_000;

export function createWorker(given: WorkerParts): Worker {
  const parts = { ...given, secrets: createPairingSecrets(given.sealedBox) };
  const { store, machineClock, log } = parts;
  let isStopping = false;
  const logOut: HostAction<{ linkId: string }, boolean> = {
    ...logOutAtHost,
    worksOffline: true,
    async run({ number, session }, { linkId }) {
      // The number was linked again meanwhile: the session hosted now must not end.
      if (session.linkId !== linkId) throw apiError('session_not_hosted');
      const isSent = await host.logOut(number.slotId);
      if (isSent) await finishUnlinkJob(store, linkId);
      return isSent;
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
    [...parts.actions, ...createLoginActions(parts), logOut, autoReject, present].map((action) => [
      action.name,
      action,
    ]),
  );
  const host = new SessionHost({ ...parts, actions, mayHost: () => lease.holds() });
  const ender = createUnlinkJobRunner(parts);
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

  /** A renewal may come while the previous one is still handled on a slow database; the runs then coalesce. */
  function oneAtATime(part: { attend(worker: string): Promise<void> }): () => Promise<void> {
    return coalesce(async () => {
      const { worker } = lease;
      if (worker === undefined || isStopping) return;
      await part.attend(worker).catch((error: unknown) => {
        log.warn({ err: error }, 'could not handle a renewal of the lease; retries with the next one');
      });
    });
  }

  const attendTo = [host, pairing].map(oneAtATime);

  async function attend(): Promise<void> {
    await Promise.all(attendTo.map((each) => each()));
    await ender.attend();
  }

  return {
    hosted: host.hosted,
    connectedSince: (slotId) => host.find(slotId)?.connectedSince,
    start: lease.start,
    async stop() {
      isStopping = true;
      await pairing.stop();
      await ender.stop();
      await host.stop();
      await lease.release();
      // With one worker less, the share of every other has grown.
      parts.bus.publish(FREE_TOPIC, null);
    },
    figures: () => ({
      worker: lease.worker,
      hosted: host.size,
      connected: host.hosted.connected().length,
    }),
    async check() {
      if (lease.worker === undefined) throw apiError('not_ready', { part: 'worker' });
    },
  };
}

/** Hosted sessions of a process without the worker role. */
export const nothingHosted: HostedSessions = {
  get: (): HostedSession | undefined => undefined,
  connected: () => [],
  onChange: () => () => {},
};
