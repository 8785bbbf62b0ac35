import type { Bus } from '#bus';
import type { EventLog } from '#events';
import { type Clock, type Random, SEND_RETRIES, type SealedBox, type Timer } from '#kernel';
import type { HostedSessions } from '#sessions';
import type { Store } from '#store';
import { OUTBOX_TOPIC } from './accept.ts';
import { attempt } from './attempt.ts';
import { type ChoreLog, startChore } from './chore.ts';
import type { MediaSpool } from './media.ts';
import { type Outcome, settlementOf } from './outcome.ts';
import { isHost, nextInLine, type QueuedMessage, withSomethingToSend } from './queue.ts';
import { postponeMessage, settleMessage } from './settle-commands.ts';
import { LOOK_WHILE_SUSPENDED_MS, suspensionOf } from './suspension.ts';

/**
 * Sends what was accepted. Each number that this process hosts has a lane:
 *
 *     idle ──woken──▶ looking ──nothing due──▶ idle (or asleep until the next is due)
 *                        │
 *                     head of the queue
 *                        ▼
 *                     sending ──acknowledged──▶ settle `sent`
 *                        ├─────can never succeed──▶ settle `failed`
 *                        ├─────may succeed later──▶ postpone, or `failed` after five attempts
 *                        ├─────no connection──▶ idle until the session is connected again; costs no attempt
 *                        └─────account or number suspended──▶ waits for that to be over, `failed` after a day
 *
 * Strictly in order: a message that waits for its next attempt holds back those behind it. One at a time per number, numbers side by
 * side. A crash anywhere sends the same id again, which the receiver drops.
 */
export interface Outbox {
  /** Starts no more, breaks downloads off and waits a moment for the sends under way. */
  stop(): Promise<void>;
}

export interface OutboxContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly hosted: HostedSessions;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly spool: MediaSpool;
  readonly log: ChoreLog;
}

interface Lane {
  running: boolean;
  /** Woken while it was running: it looks once more before it rests. */
  wokenAgain: boolean;
  timer: Timer | undefined;
}

/** A lost wake-up costs at most this long. */
const LOOK_AROUND_MS = 5_000;
/** After a failure of our own, such as a database out of reach. */
const REST_AFTER_TROUBLE_MS = 2_000;
const LONGEST_PAUSE_MS = Math.max(...SEND_RETRIES.delaysMs) * (1 + SEND_RETRIES.jitter);
/** A send that takes longer is left behind: whoever hosts the number next sends it again under the same id. */
const FINISH_SENDS_MS = 1_000;

export function startOutbox(context: OutboxContext): Outbox {
  const { store, clock, bus, hosted, events, log } = context;
  const lanes = new Map<string, Lane>();
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();
  const stopping = stop.signal;

  function wake(slotId: string): void {
    if (stopping.aborted || !hosted.get(slotId)) return;
    const lane = lanes.get(slotId) ?? { running: false, wokenAgain: false, timer: undefined };
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

  async function runLane(slotId: string, lane: Lane): Promise<void> {
    let restMs: number | undefined;
    try {
      do {
        lane.wokenAgain = false;
        restMs = await sendWhatIsDue(slotId);
      } while (lane.wokenAgain && !stopping.aborted);
    } catch (error) {
      restMs = REST_AFTER_TROUBLE_MS;
      if (!stopping.aborted) log.error({ err: error, slotId }, 'outbox lane failed; it tries again');
    }
    lane.running = false;
    if (restMs === undefined) lanes.delete(slotId);
    else if (!stopping.aborted) lane.timer = clock.after(restMs, () => wake(slotId));
  }

  /** Answers how long to rest when the head of the queue is due later; undefined when there is nothing to wait for. */
  async function sendWhatIsDue(slotId: string): Promise<number | undefined> {
    while (!stopping.aborted) {
      const host = hosted.get(slotId);
      if (host?.session.state.kind !== 'connected') return undefined;
      const head = await nextInLine(store, slotId);
      if (!head) return undefined;
      const suspension = suspensionOf(head, clock.now());
      if (suspension === 'waits') return LOOK_WHILE_SUSPENDED_MS;
      const restMs = Math.min(head.due_at - clock.now(), longestRestMs(head));
      if (restMs > 0 && !suspension) return restMs;
      const outcome = suspension ?? (await attempt(context, host.session, head, stopping));
      if (outcome.kind === 'offline') return undefined;
      if (!(await conclude(host.fence, head, outcome))) return undefined;
    }
    return undefined;
  }

  /** False when another process has become the host: then it goes on there. A receipt may have settled the message meanwhile. */
  async function conclude(
    fence: number,
    head: QueuedMessage,
    outcome: Exclude<Outcome, { kind: 'offline' }>,
  ): Promise<boolean> {
    return (await note(fence, head, outcome)) || isHost(store, head.slot_id, fence);
  }

  /** False when the message was not there any more, or not ours to settle. */
  async function note(
    fence: number,
    head: QueuedMessage,
    outcome: Exclude<Outcome, { kind: 'offline' }>,
  ): Promise<boolean> {
    const { slot_id: slotId, seq } = head;
    const now = clock.now();
    if (outcome.kind === 'postponed') {
      const { attempts, pauseMs } = outcome;
      return store.run(postponeMessage, { slotId, seq, fence, attempts, dueAt: now + pauseMs });
    }
    const settlement = settlementOf({ fence, head, outcome, now, prepare: events.prepare });
    const settled = await store.run(settleMessage, settlement);
    if (settled) events.announce([settlement.event]);
    return settled;
  }

  const waking = bus.subscribe(OUTBOX_TOPIC, (slotId) => wake(String(slotId)));
  const stopListening = hosted.onChange(wake);
  const lookingAround = startChore({
    clock,
    log,
    everyMs: LOOK_AROUND_MS,
    complaint: 'could not look for waiting messages; it is tried again',
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
      await withinTime(clock, FINISH_SENDS_MS, Promise.all([lookingAround.stop(), ...underWay]));
    },
  };
}

/** What waits for its first attempt waits for nothing else, whatever the clock said when it was accepted. */
function longestRestMs({ attempts }: QueuedMessage): number {
  return attempts === 0 ? 0 : LONGEST_PAUSE_MS;
}

async function withinTime(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([work, clock.sleep(limitMs, patience.signal).catch(() => {})]);
  patience.abort();
}
