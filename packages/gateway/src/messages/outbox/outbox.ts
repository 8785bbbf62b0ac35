import type { Histories } from '#conversations';
import type { EventLog } from '#events';
import {
  type Clock,
  type JobLog,
  type LineLog,
  neverRejects,
  type PeriodicJob,
  type Random,
  type SealedBox,
  type SendTraces,
  startPeriodicJob,
  type Timer,
  waitAtMost,
  writeLine,
} from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import type { HostedSession, HostedSessions } from '#sessions';
import { OUTBOX_TOPIC } from '../accept/accept.ts';
import { dropOldMessages } from '../retention.ts';
import { abandonOrphans } from './abandon.ts';
import { attempt } from './attempt.ts';
import { wantedEcho } from './echo.ts';
import { createGaps } from './gaps.ts';
import { createMediaSpool, type MediaSpool, type MediaSpoolOptions } from './media-spool.ts';
import { nextToSend } from './next-to-send.ts';
import { isHost, type QueuedMessage, withSomethingToSend } from './outbox-queries.ts';
import { type OnAttempted, type Outcome, settlementOf } from './outcome.ts';
import { createPrefetchedFiles, type PrefetchedFiles } from './prefetched-files.ts';
import { postponeMessage, settleMessage } from './write-commands.ts';

/**
 * Sends accepted messages. Each number that this process hosts has a lane:
 *
 *     idle ──woken──▶ looking ──nothing due──▶ idle (or asleep until the next is due)
 *                        │
 *                     head of the queue
 *                        ▼
 *                     sending ──acknowledged──▶ settle `sent`
 *                        ├─────can never succeed──▶ settle `failed`
 *                        ├─────may succeed later──▶ postpone, or `failed` after five attempts
 *                        ├─────no connection, or an unresponsive one──▶ idle until the session is connected again; costs no attempt
 *                        └─────account or number suspended──▶ waits for its end, `failed` after a day
 *
 * One message at a time per number, numbers in parallel, and in order within a chat: a message that waits for its retry, or for its file,
 * which is fetched beside the lane, holds back its own chat only. After a failure that is the number's own, the number waits. A crash
 * anywhere repeats the same id, which the receiver drops.
 */
export interface Outbox {
  /** Starts no more sends, cancels downloads and waits a moment for the sends under way. */
  stop(): Promise<void>;
}

interface OutboxContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  readonly histories: Pick<Histories, 'of'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly hosted: HostedSessions;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly spool: MediaSpool;
  readonly log: JobLog & LineLog;
  readonly onTried?: OnAttempted;
  readonly traces?: Pick<SendTraces, 'sending'> | undefined;
}

type Host = Pick<HostedSession, 'fence' | 'session'>;

interface Lane {
  readonly files: PrefetchedFiles;
  running: boolean;
  /** Woken while it was running: it runs once more before it rests. */
  wokenAgain: boolean;
  timer: Timer | undefined;
}

/** A lost wake-up costs at most this long. */
const POLL_MS = 5_000;
/** After an internal failure, such as a database out of reach. */
const ERROR_BACKOFF_MS = 2_000;
/** A send that takes longer is left behind: the next host of the number repeats it under the same id. */
const DRAIN_TIMEOUT_MS = 1_000;

export function startOutbox(context: OutboxContext): Outbox {
  const { store, clock, bus, hosted, events, spool, log } = context;
  const lanes = new Map<string, Lane>();
  const gaps = createGaps(context);
  /** Hosts replaced by another process, before this process has stopped them. */
  const takenOver = new WeakSet<object>();
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();
  const stopping = stop.signal;

  function wake(slotId: string): void {
    if (stopping.aborted) return;
    const lane = lanes.get(slotId) ?? newLane(slotId);
    if (!lane) return;
    lanes.set(slotId, lane);
    if (lane.running) {
      lane.wokenAgain = true;
      return;
    }
    lane.running = true;
    lane.timer?.cancel();
    lane.timer = undefined;
    const run = runLane(slotId, lane).finally(() => underWay.delete(run));
    underWay.add(run);
  }

  function newLane(slotId: string): Lane | undefined {
    if (!hosted.get(slotId)) return undefined;
    const files = createPrefetchedFiles({ spool, stopping, onFetched: () => wake(slotId) });
    return { files, running: false, wokenAgain: false, timer: undefined };
  }

  async function runLane(slotId: string, lane: Lane): Promise<void> {
    let restMs: number | undefined;
    try {
      do {
        lane.wokenAgain = false;
        restMs = await sendWhatIsDue(slotId, lane.files);
      } while (lane.wokenAgain && !stopping.aborted);
    } catch (error) {
      restMs = ERROR_BACKOFF_MS;
      if (!stopping.aborted) log.error({ err: error, slotId }, 'outbox lane failed; retrying');
    }
    lane.running = false;
    if (restMs === undefined && lane.files.size === 0) lanes.delete(slotId);
    else if (restMs !== undefined && !stopping.aborted) lane.timer = clock.after(restMs, () => wake(slotId));
  }

  /** Returns how long to rest; undefined when the lane sleeps until it is woken. */
  async function sendWhatIsDue(slotId: string, files: PrefetchedFiles): Promise<number | undefined> {
    for (;;) {
      const host = hosted.get(slotId);
      if (host?.session.state.kind !== 'connected' || takenOver.has(host.session) || stopping.aborted) break;
      const next = await nextToSend(context, slotId, files, host.session, gaps.isOutage(slotId));
      if (next.kind === 'rest') return next.ms;
      const { message } = next;
      const waitMs = next.kind === 'send' ? gaps.msBefore(message) : 0;
      if (waitMs > 0) return waitMs;
      const outcome =
        next.kind === 'end'
          ? next.outcome
          : await send(host.session, message, files.take(message.message_id));
      if (outcome.kind === 'offline') break;
      if (outcome.kind === 'sent') gaps.sent(message);
      if (outcome.kind === 'postponed') gaps.failed(message);
      if (!(await conclude(host, message, outcome))) takenOver.add(host.session);
      // The next accepted message wakes the lane again.
      if (next.kind === 'send' && next.isAlone && outcome.kind !== 'postponed') break;
    }
    // The next sender fetches the files that it needs.
    neverRejects(files.drop());
    return undefined;
  }

  function send(session: Host['session'], message: QueuedMessage, file: ReturnType<PrefetchedFiles['take']>) {
    const { traces } = context;
    if (!traces) return attempt(context, session, message, file);
    return traces.sending(message, () => attempt(context, session, message, file));
  }

  /**
   * False when another process has become the host: it continues there. A receipt may have settled the message
   * meanwhile.
   */
  async function conclude(
    host: Host,
    head: QueuedMessage,
    outcome: Exclude<Outcome, { kind: 'offline' }>,
  ): Promise<boolean> {
    return (await note(host, head, outcome)) || isHost(store, head.slot_id, host.fence);
  }

  /** False when the message was gone, or settled by another host. */
  async function note(
    { fence, session }: Host,
    head: QueuedMessage,
    outcome: Exclude<Outcome, { kind: 'offline' }>,
  ): Promise<boolean> {
    const { slot_id: slotId, seq } = head;
    const now = clock.now();
    if (outcome.kind === 'postponed') {
      const { attempts, pauseMs, holds } = outcome;
      const delay = { slotId, seq, fence, attempts, dueAt: now + pauseMs, holdsNumber: holds === 'number' };
      const isOurs = await store.run(postponeMessage, delay);
      if (isOurs) {
        context.onTried?.('postponed', undefined, 0);
        logAttempt(head, outcome, now);
      }
      return isOurs;
    }
    const echo = outcome.kind === 'sent' ? await wantedEcho(context, head, now, session.chatOf) : undefined;
    const settlement = settlementOf({ fence, head, outcome, now, prepare: events.prepare, echo });
    const settled = await store.run(settleMessage, settlement);
    if (settled) {
      const reason = outcome.kind === 'failed' ? outcome.reason : undefined;
      context.onTried?.(outcome.kind, reason, (now - head.accepted_at) / 1_000);
      events.announce(settlement.events);
      logAttempt(head, outcome, now, settlement.events[0]?.id);
    }
    return settled;
  }

  function logAttempt(
    { message_id, slot_id, accepted_at, attempts }: QueuedMessage,
    outcome: Exclude<Outcome, { kind: 'offline' }>,
    now: number,
    eventId?: string,
  ): void {
    writeLine(log, 'info', 'send.attempt', {
      messageId: message_id,
      slotId: slot_id,
      attempt: attempts + 1,
      outcome: outcome.kind,
      ...(outcome.kind === 'failed' && { reason: outcome.reason }),
      ...(eventId && { eventId }),
      ms: now - accepted_at,
    });
  }

  const waking = bus.subscribe(OUTBOX_TOPIC, (slotId) => wake(String(slotId)));
  const stopListening = hosted.onChange(wake);
  const lookingAround = startPeriodicJob({
    clock,
    log,
    everyMs: POLL_MS,
    name: 'outbox-scan',
    async work() {
      for (const slotId of await withSomethingToSend(store, hosted.connected())) wake(slotId);
    },
  });

  return {
    async stop() {
      stop.abort();
      waking.stop();
      stopListening();
      for (const lane of lanes.values()) lane.timer?.cancel();
      const files = [...lanes.values()].map((lane) => lane.files.drop());
      await waitAtMost(clock, DRAIN_TIMEOUT_MS, Promise.all([lookingAround.stop(), ...underWay, ...files]));
    },
  };
}

/**
 * Background work of this room in a process that hosts sessions: sends accepted messages, and cleans up after them.
 */
interface Sender {
  start(): void;
  /** Call it while the sessions still exist. */
  stop(): Promise<void>;
}

interface SenderParts extends Omit<OutboxContext, 'spool'> {
  readonly media: MediaSpoolOptions;
}

export function createSender({ media, ...parts }: SenderParts): Sender {
  let chores: PeriodicJob[] = [];
  return {
    start() {
      const spool = createMediaSpool(media);
      chores = [startOutbox({ ...parts, spool }), abandonOrphans(parts), dropOldMessages(parts)];
    },
    async stop() {
      await Promise.all(chores.map((chore) => chore.stop()));
    },
  };
}
