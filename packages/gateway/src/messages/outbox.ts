import type { Bus } from '#bus';
import type { EventLog } from '#events';
import { type Clock, pauseBeforeRetry, type Random, SEND_RETRIES, type SealedBox, type Timer } from '#kernel';
import { NetworkError } from '#network';
import type { HostedSession, HostedSessions } from '#sessions';
import type { Store } from '#store';
import { OUTBOX_TOPIC, sealContext } from './accept.ts';
import type { MediaSpool } from './media.ts';
import { failureOf, type Outcome, settlementOf } from './outcome.ts';
import { postponeMessage, settleMessage } from './settle-commands.ts';
import { openSend, transmit } from './transmit.ts';

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
 *                        └─────no connection──▶ idle until the session is connected again; costs no attempt
 *
 * Strictly in order: a message that waits for its next attempt holds back those behind it. One at a time per number, numbers side by
 * side. A crash anywhere sends the same id again, which the receiver drops.
 */
export interface Outbox {
  /** Lets the sends under way come to their end, and starts no more. */
  stop(): Promise<void>;
}

export interface OutboxContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly hosted: HostedSessions;
  readonly events: EventLog;
  readonly spool: MediaSpool;
  readonly log: { error(details: object, message: string): void };
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

export function startOutbox(context: OutboxContext): Outbox {
  const { store, clock, random, sealedBox, bus, hosted, events, spool, log } = context;
  const lanes = new Map<string, Lane>();
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  function wake(slotId: string): void {
    if (stopping || !hosted.get(slotId)) return;
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
      } while (lane.wokenAgain && !stopping);
    } catch (error) {
      log.error({ err: error, slotId }, 'outbox lane failed; it tries again');
      restMs = REST_AFTER_TROUBLE_MS;
    }
    lane.running = false;
    if (restMs === undefined) lanes.delete(slotId);
    else if (!stopping) lane.timer = clock.after(restMs, () => wake(slotId));
  }

  /** Answers how long to rest when the head of the queue is due later; undefined when there is nothing to wait for. */
  async function sendWhatIsDue(slotId: string): Promise<number | undefined> {
    while (!stopping) {
      const host = hosted.get(slotId);
      if (host?.session.state.kind !== 'connected') return undefined;
      const head = await store.read
        .selectFrom('outbox')
        .innerJoin('messages', 'messages.id', 'outbox.message_id')
        .select([
          'outbox.slot_id',
          'seq',
          'message_id',
          'sealed',
          'attempts',
          'due_at',
          'request_id',
          'to_jid',
          'session_id',
        ])
        .where('outbox.slot_id', '=', slotId)
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      if (!head) return undefined;
      const restMs = head.due_at - clock.now();
      if (restMs > 0) return restMs;
      const outcome = await sendOne(host, head);
      if (outcome.kind === 'offline') return undefined;
      if (!(await conclude(host, head, outcome))) return undefined;
    }
    return undefined;
  }

  async function sendOne(host: HostedSession, head: QueuedMessage): Promise<Outcome> {
    const sealed = sealedBox.open(head.sealed, sealContext(head.slot_id, head.message_id));
    try {
      await transmit(host.session, head.message_id, openSend(sealed), spool);
      return { kind: 'sent' };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      return outcomeOf(error, head.attempts + 1);
    }
  }

  function outcomeOf(error: NetworkError, attempts: number): Outcome {
    if (error.kind === 'offline') return { kind: 'offline' };
    if (error.kind !== 'transient')
      return { kind: 'failed', reason: failureOf(error), detail: error.message };
    const pauseMs = pauseBeforeRetry(SEND_RETRIES, attempts, random);
    return pauseMs === undefined
      ? { kind: 'failed', reason: 'RETRIES_EXHAUSTED', detail: error.message }
      : { kind: 'postponed', attempts, pauseMs };
  }

  /** False when another process has become the host: then it goes on there. */
  async function conclude(
    host: HostedSession,
    head: QueuedMessage,
    outcome: Exclude<Outcome, { kind: 'offline' }>,
  ): Promise<boolean> {
    const { slot_id: slotId, seq } = head;
    const { fence } = host;
    if (outcome.kind === 'postponed') {
      const { attempts, pauseMs } = outcome;
      return store.run(postponeMessage, { slotId, seq, fence, attempts, dueAt: clock.now() + pauseMs });
    }
    const settlement = settlementOf({ host, head, outcome, now: clock.now(), prepare: events.prepare });
    const settled = await store.run(settleMessage, settlement);
    if (settled) events.announce([settlement.event]);
    return settled;
  }

  function lookAround(): void {
    for (const slotId of hosted.connected()) wake(slotId);
    lookingAround = clock.after(LOOK_AROUND_MS, lookAround);
  }

  const waking = bus.subscribe(OUTBOX_TOPIC, (slotId) => wake(String(slotId)));
  const stopListening = hosted.onChange(wake);
  let lookingAround: Timer;
  lookAround();

  return {
    async stop() {
      stopping = true;
      waking.stop();
      stopListening();
      lookingAround.cancel();
      for (const lane of lanes.values()) lane.timer?.cancel();
      await Promise.all(underWay);
    },
  };
}

export interface QueuedMessage {
  readonly slot_id: string;
  readonly seq: number;
  readonly message_id: string;
  readonly sealed: Uint8Array;
  readonly attempts: number;
  readonly due_at: number;
  readonly request_id: string;
  readonly to_jid: string;
  readonly session_id: string;
}
