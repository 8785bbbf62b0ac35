import type { EventLog } from '#events';
import { type Clock, inBackground, type Random, type Timer, waitAtMost, writeLine } from '#kernel';
import type { ConnectionState, NetworkDriver } from '#network';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import type { ClaimedSession } from '../session-queries.ts';
import { type Answer, createActionHandler, subjectOf } from '../session-rpc.ts';
import type { Reason } from '../status.ts';
import type {
  AnyHostAction,
  HostedSession,
  KnownContactsSink,
  Log,
  NetworkEventSink,
  NumberHealthSink,
  PastSink,
} from '../types.ts';
import { readPresence } from './hosting-queries.ts';
import { createReport } from './status-reporter.ts';
import { createWatchdog } from './watchdog.ts';

/**
 * One session hosted by this process:
 *
 *     opening ──login──▶ up ⇄ down ──the link ended, was taken over, or the host stops it──▶ over
 *
 * `up` and `down` follow the driver, which reconnects automatically. Hosting the session again makes a new object.
 */
export interface Hosting {
  readonly hosted: HostedSession;
  readonly isUp: boolean;
  /** Undefined while it is not. */
  readonly connectedSince: number | undefined;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly arrived: Promise<void>;
  /** Rereads presence: the webhooks or the presence policy of the number may have changed. */
  noticeListeners(): void;
  /** A reader wants events that only online devices receive, for this long. */
  noticeReader(forMs: number): void;
  /** Called every few seconds. */
  lookAfter(): void;
  /** Stops hosting and keeps the link. Writes nothing more for the session. Idempotent. */
  close(): Promise<void>;
  /** Closes after the actions under way have finished, or after a short wait. */
  handOver(): Promise<void>;
  /** Closes, and ends the link on the network and here. False when the network could not be reached. */
  logOut(): Promise<boolean>;
}

/** Why a hosting ended without a request to end it. */
export type Ending =
  /** Unlinked, locked or banned: stored and published. */
  | 'logged_out'
  /** Another client connected with this very link. */
  | 'replaced'
  /** The database has a newer host, or no such link. */
  | 'not_ours';

export interface HostingParts {
  readonly store: Store;
  readonly bus: Bus;
  readonly driver: Pick<NetworkDriver, 'open'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onNetworkEvents: NetworkEventSink;
  readonly onStanding: NumberHealthSink;
  readonly onKnownPeople: KnownContactsSink;
  readonly onPast: PastSink;
  readonly actions: ReadonlyMap<string, AnyHostAction>;
  /** Checked before any action in the name of a session. */
  readonly mayHost: () => boolean;
  /** The connection came up or went down. */
  readonly onChange: (slotId: string) => void;
  /** The new state can be read from the database. */
  readonly onWritten: (slotId: string) => void;
  readonly onEnded: (hosting: Hosting, ending: Ending) => void;
}

/** Wait of a call for the first connection. */
const LOGIN_CALL_MS = 3_000;
/** Wait of a hand-over for the calls under way. */
const FINISH_CALLS_MS = 1_000;

const REOPENED: Reason = {
  reason: 'connection_lost',
  detail: 'The connection to the network is being reopened.',
  until: null,
};

export function hostSession(parts: HostingParts, { number, row }: ClaimedSession): Hosting {
  const { clock, log } = parts;
  const { slotId } = number;
  const arrived = Promise.withResolvers<void>();
  let connectedSince: number | undefined;
  let closing: Promise<void> | undefined;
  /** On the machine's clock: until then a reader wants events of online devices. */
  let readUntil = Number.NEGATIVE_INFINITY;
  let readersLeave: Timer | undefined;

  const report = createReport({
    store: parts.store,
    events: parts.events,
    clock,
    log,
    row,
    onWritten: () => parts.onWritten(slotId),
    onRefused: () => parts.onEnded(hosting, 'not_ours'),
  });

  const session = parts.driver.open({
    linkId: row.link_id,
    fence: row.fence,
    onState: follow,
    onStanding: (news) => parts.onStanding(hosted, news),
    onKnownPeople: (people) => parts.onKnownPeople(hosted, people),
    onPast: (history) => parts.onPast(hosted, history),
    onEvents(events) {
      watchdog.sign();
      return parts.onNetworkEvents(hosted, events);
    },
  });
  session.calls.setAutoReject(row.auto_reject === 1);
  noticeListeners();
  const watchdog = createWatchdog({ ...parts, session, slotId, clock: parts.machineClock });
  const hosted: HostedSession = { number, sessionId: row.session_id, session, fence: row.fence };
  const handleAction = createActionHandler({ hosted, actions: parts.actions });
  const running = new Set<Promise<Answer>>();
  const serving = parts.bus.serve(subjectOf(slotId), async (request): Promise<Answer> => {
    await boarded();
    if (closing || !parts.mayHost()) return { kind: 'gone' };
    const work = handleAction(request).finally(() => running.delete(work));
    running.add(work);
    return work;
  });

  function noticeListeners(): void {
    readPresence(parts.store.read, slotId).then(
      (read) => {
        if (!read || closing) return;
        session.presence.setPolicy(read.policy, read.isWanted || parts.machineClock.monotonic() < readUntil);
      },
      (error: unknown) => log.warn({ slotId, err: error }, 'could not read whether a number appears online'),
    );
  }

  function noticeReader(forMs: number): void {
    if (closing) return;
    const now = parts.machineClock.monotonic();
    const isNews = now >= readUntil;
    readUntil = Math.max(readUntil, now + forMs);
    if (isNews) noticeListeners();
    readersLeave?.cancel();
    readersLeave = parts.machineClock.after(readUntil - now, noticeListeners);
  }

  /** A call that arrives while the session moves here from another host waits instead of being refused. */
  function boarded(): Promise<void> {
    return waitAtMost(parts.machineClock, LOGIN_CALL_MS, arrived.promise).then(() => {});
  }

  function follow(state: ConnectionState): void {
    if (closing) return;
    if (state.kind !== 'connecting') arrived.resolve();
    if (state.kind === 'connected') comeUp();
    // The driver reopens a connection that was not lost.
    else if (state.kind === 'connecting' && connectedSince !== undefined)
      goDown(REOPENED, () => report.lost(REOPENED));
    else if (state.kind === 'reconnecting' && state.reason === 'passkey_required')
      goDown(reasonOf(state), () => report.passkeyRequired(reasonOf(state)));
    else if (state.kind === 'reconnecting') goDown(reasonOf(state), () => report.lost(reasonOf(state)));
    else if (state.kind === 'refused')
      goDown(reasonOf(state), () => report.refused(reasonOf(state), state.code));
    else if (state.kind === 'ended') inBackground(end(state), log, 'could not stop a session that has ended');
  }

  function comeUp(): void {
    connectedSince = clock.now();
    watchdog.sign();
    writeLine(log, 'info', 'session.state', { slotId, status: 'connected', fence: row.fence });
    report.connected();
    parts.onChange(slotId);
  }

  function goDown({ reason }: Reason, record: () => void): void {
    const wasUp = connectedSince !== undefined;
    connectedSince = undefined;
    if (wasUp) writeLine(log, 'info', 'session.state', { slotId, status: 'reconnecting', reason });
    record();
    if (wasUp) parts.onChange(slotId);
  }

  async function end({ cause, detail }: Extract<ConnectionState, { kind: 'ended' }>): Promise<void> {
    const why = { reason: cause, detail, until: null };
    if (cause === 'replaced') {
      goDown(why, () => report.lost(why));
    } else {
      writeLine(log, 'info', 'session.state', { slotId, status: 'logged_out', reason: cause });
      connectedSince = undefined;
      report.loggedOut(why);
    }
    await report.settled();
    if (!closing) parts.onEnded(hosting, cause === 'replaced' ? 'replaced' : 'logged_out');
  }

  async function leave(part: () => Promise<void>): Promise<void> {
    arrived.resolve();
    readersLeave?.cancel();
    serving.stop();
    await Promise.all([part(), report.stop()]);
  }

  const hosting: Hosting = {
    hosted,
    get isUp() {
      return connectedSince !== undefined;
    },
    get connectedSince() {
      return connectedSince;
    },
    arrived: arrived.promise,
    noticeListeners,
    noticeReader,
    lookAfter() {
      if (connectedSince !== undefined) watchdog.look();
    },
    close() {
      closing ??= leave(() => session.close());
      return closing;
    },
    handOver() {
      closing ??= leave(async () => {
        await waitAtMost(parts.machineClock, FINISH_CALLS_MS, Promise.allSettled(running));
        await session.close();
      });
      return closing;
    },
    async logOut() {
      let isSent = false;
      closing ??= leave(async () => {
        isSent = await session.logOut();
      });
      await closing;
      return isSent;
    },
  };
  return hosting;
}

function reasonOf(state: Extract<ConnectionState, { kind: 'reconnecting' | 'refused' }>): Reason {
  return {
    reason: state.reason,
    detail: state.detail,
    until: (state.kind === 'refused' ? state.until : undefined) ?? null,
  };
}
