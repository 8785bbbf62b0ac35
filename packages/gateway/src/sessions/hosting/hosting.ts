import type { Bus } from '#bus';
import type { EventLog } from '#event-log';
import { type Clock, inBackground, type Random, type Timer, waitAtMost, writeLine } from '#kernel';
import type { ConnectionState, NetworkDriver } from '#network';
import type { Store } from '#store';
import { type Answer, createActionHandler, subjectOf } from '../session-rpc.ts';
import type { Why } from '../status.ts';
import type { ClaimedSession } from '../store.ts';
import type {
  AnyHostAction,
  HostedSession,
  KnownPeopleSink,
  Log,
  NetworkEventSink,
  PastSink,
  StandingSink,
} from '../types.ts';
import { createReport } from './status-reporter.ts';
import { readPresence } from './store.ts';
import { createWatchdog } from './watchdog.ts';

/**
 * One session while this process hosts it:
 *
 *     opening ──login──▶ up ⇄ down ──the link ended, was taken away, or the host wants so──▶ over
 *
 * `up` and `down` follow the driver, which reconnects by itself. A hosting lives once: whoever hosts the session again makes a new one.
 */
export interface Hosting {
  readonly hosted: HostedSession;
  readonly isUp: boolean;
  /** When the connection came up or was lost. */
  readonly since: number;
  /** Resolves when the first attempt to connect has led somewhere, good or bad. */
  readonly arrived: Promise<void>;
  /** Who listens to the number, or whether it is to appear online, may have changed. */
  noticeListeners(): void;
  /** Somebody reads along, and will for so long, what only those are told who appear online. */
  noticeReader(forMs: number): void;
  /** Called every few seconds. */
  lookAfter(): void;
  /** Lets go of the session and keeps the link. Writes nothing more on its behalf. Idempotent. */
  close(): Promise<void>;
  /** The same in peace: what is being done for somebody is finished first, if that does not take long. */
  handOver(): Promise<void>;
  /** The same as closing, and ends the link on the network and here. Answers false when the network could not be told. */
  logOut(): Promise<boolean>;
}

/** Why a hosting ended by itself. */
export type Ending =
  /** Unlinked, locked or banned: written and told. */
  | 'logged_out'
  /** The network let somebody else in with this very link. */
  | 'replaced'
  /** The database knows a newer host, or no such link. */
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
  readonly onStanding: StandingSink;
  readonly onKnownPeople: KnownPeopleSink;
  readonly onPast: PastSink;
  readonly actions: ReadonlyMap<string, AnyHostAction>;
  /** Asked before anything is done in the name of a session. */
  readonly mayHost: () => boolean;
  /** Came up, or went down. */
  readonly onChange: (slotId: string) => void;
  /** The new state can be read from the database. */
  readonly onWritten: (slotId: string) => void;
  readonly onEnded: (hosting: Hosting, ending: Ending) => void;
}

/** How long a call waits for the first connection. */
const BOARDING_CALL_MS = 3_000;
/** How long a hand-over waits for the calls under way. */
const FINISH_CALLS_MS = 1_000;

const MADE_ANEW: Why = {
  reason: 'connection_lost',
  detail: 'The connection to the network is being made anew.',
  until: null,
};

export function hostSession(parts: HostingParts, { number, row }: ClaimedSession): Hosting {
  const { clock, log } = parts;
  const { slotId } = number;
  const arrived = Promise.withResolvers<void>();
  let isUp = false;
  let since = row.since;
  let closing: Promise<void> | undefined;
  /** Of the machine's time: so long somebody reads along. */
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

  /** Whoever calls while the session is on its way here from another host gets an answer, not a refusal. */
  function boarded(): Promise<void> {
    return waitAtMost(parts.machineClock, BOARDING_CALL_MS, arrived.promise).then(() => {});
  }

  function follow(state: ConnectionState): void {
    if (closing) return;
    if (state.kind !== 'connecting') arrived.resolve();
    if (state.kind === 'connected') comeUp();
    // Made anew without having been lost.
    else if (state.kind === 'connecting' && isUp) goDown(MADE_ANEW, () => report.lost(MADE_ANEW));
    else if (state.kind === 'reconnecting') goDown(whyOf(state), () => report.lost(whyOf(state)));
    else if (state.kind === 'refused') goDown(whyOf(state), () => report.refused(whyOf(state), state.code));
    else if (state.kind === 'ended')
      inBackground(end(state), log, 'a session that has ended could not be taken down');
  }

  function comeUp(): void {
    isUp = true;
    since = clock.now();
    watchdog.sign();
    writeLine(log, 'info', 'session.state', { slotId, status: 'connected', fence: row.fence });
    report.connected();
    parts.onChange(slotId);
  }

  function goDown({ reason }: Why, tell: () => void): void {
    const wasUp = isUp;
    isUp = false;
    if (wasUp) {
      since = clock.now();
      writeLine(log, 'info', 'session.state', { slotId, status: 'reconnecting', reason });
    }
    tell();
    if (wasUp) parts.onChange(slotId);
  }

  async function end({ cause, detail }: Extract<ConnectionState, { kind: 'ended' }>): Promise<void> {
    const why = { reason: cause, detail, until: null };
    if (cause === 'replaced') {
      goDown(why, () => report.lost(why));
    } else {
      writeLine(log, 'info', 'session.state', { slotId, status: 'logged_out', reason: cause });
      isUp = false;
      report.loggedOut(why);
    }
    await report.settled();
    if (!closing) parts.onEnded(hosting, cause === 'replaced' ? 'replaced' : 'logged_out');
  }

  async function leave(part: () => Promise<void>): Promise<void> {
    isUp = false;
    arrived.resolve();
    readersLeave?.cancel();
    serving.stop();
    await Promise.all([part(), report.stop()]);
  }

  const hosting: Hosting = {
    hosted,
    get isUp() {
      return isUp;
    },
    get since() {
      return since;
    },
    arrived: arrived.promise,
    noticeListeners,
    noticeReader,
    lookAfter() {
      if (isUp) watchdog.look();
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
      let isTold = false;
      closing ??= leave(async () => {
        isTold = await session.logOut();
      });
      await closing;
      return isTold;
    },
  };
  return hosting;
}

function whyOf(state: Extract<ConnectionState, { kind: 'reconnecting' | 'refused' }>): Why {
  return {
    reason: state.reason,
    detail: state.detail,
    until: (state.kind === 'refused' ? state.until : undefined) ?? null,
  };
}
