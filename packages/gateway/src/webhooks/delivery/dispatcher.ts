import type { Bus } from '#bus';
import {
  DELIVERIES_TOPIC,
  type DeliveryQueue,
  isLaneName,
  type LaneName,
  LIGHT_BYTES,
  type LoadedDelivery,
  START_OF_LANE,
  waitingLanes,
} from '#event-log';
import { type Clock, createSemaphore, createWaitGroup, type Random, type Timer } from '#kernel';
import type { Store } from '#store';
import type { DeliveryAttempt, Outcome } from './delivery-attempt.ts';
import {
  createLane,
  isIdle,
  LANE_CONCURRENCY,
  type Lane,
  laneKey,
  mayHaveMore,
  mayStart,
  noteRefill,
  roomIn,
} from './lane.ts';
import type { LeaseManager } from './lease-manager.ts';
import type { ResultWriter } from './result-writer.ts';

/**
 * Runs the deliveries of this process. Looks in the database for lanes with something due, when woken and from time to time, takes those
 * that no other process has, and reads a short window of each. Lanes that hold something stand in a row and get the free slots in turn.
 */
export interface Dispatcher {
  start(): void;
  /** Starts nothing more, lets what is under way end if it ends soon, and leaves its lanes to others. */
  stop(): Promise<void>;
}

interface DispatcherParts {
  readonly store: Pick<Store, 'read'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  /** Measures how long a look takes. */
  readonly machineClock: Pick<Clock, 'monotonic'>;
  readonly random: Pick<Random, 'fraction'>;
  readonly log: { warn(details: object, message: string): void };
  readonly leases: LeaseManager;
  readonly queue: DeliveryQueue;
  readonly deliveryAttempt: DeliveryAttempt;
  readonly resultWriter: ResultWriter;
  /** Told of each account that has one more delivery in its history. */
  readonly onEnded: (accountId: string) => void;
}

/** Attempts under way at once, in all lanes. */
const SLOTS = 512;
/** The last of them are for lanes that have none: however many receivers are slow, another one still gets its first attempt. */
const SLOTS_FOR_FIRST = 256;
/** Payloads in memory; beyond this each lane holds only what it is about to send. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;
/** Of these each takes megabytes while it is under way. */
const HEAVY_AT_ONCE = 8;
/** What a lost wake-up costs at most. */
const LOOK_EVERY_MS = 2_000;
const QUICK_LOOK_MS = 5;
const STOP_PATIENCE_MS = 2_000;

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const {
    store,
    bus,
    clock,
    machineClock,
    random,
    log,
    leases,
    queue,
    deliveryAttempt,
    resultWriter,
    onEnded,
  } = parts;
  const lanes = new Map<string, Lane>();
  const row: Lane[] = [];
  const running = createWaitGroup();
  const stopping = new AbortController();
  const heavy = createSemaphore(HEAVY_AT_ONCE);
  let freeSlots = SLOTS;
  let heldBytes = 0;
  let looking = false;
  let lookAgain = false;
  let timer: Timer | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let wakeUps: { stop(): void } | undefined;

  const stopped = (): boolean => wakeUps === undefined;

  function laneOf(name: LaneName): Lane {
    const key = laneKey(name);
    const lane = lanes.get(key) ?? createLane(name, random);
    lanes.set(key, lane);
    return lane;
  }

  function wakeAt(time: number): void {
    if (stopped() || time >= timerAt) return;
    timer?.cancel();
    timerAt = time;
    timer = clock.after(time - clock.now(), () => {
      timerAt = Number.POSITIVE_INFINITY;
      lookSoon();
    });
  }

  /** One look at a time; whoever asks meanwhile gets another one after it, for what it wants may just have been missed. */
  function lookSoon(): void {
    if (stopped()) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = true;
    lookAgain = false;
    const begun = machineClock.monotonic();
    const looked = attend('look for deliveries', look).then(() => {
      looking = false;
      wakeAt(clock.now() + LOOK_EVERY_MS);
      if (!lookAgain) return;
      // With very many lanes a look takes its time: then more wake-ups share one.
      const took = machineClock.monotonic() - begun;
      if (took > QUICK_LOOK_MS) wakeAt(clock.now() + took);
      else lookSoon();
    });
    running.add(looked);
  }

  async function look(): Promise<void> {
    const found = await waitingLanes(store);
    const now = clock.now();
    const seen = new Set<Lane>();
    for (const { dueAt, ...name } of found) {
      const lane = laneOf(name);
      seen.add(lane);
      if (dueAt <= now) lane.hasNews = true;
      else wakeAt(dueAt);
      advance(lane);
    }
    for (const [key, lane] of lanes) {
      if (seen.has(lane) || !isIdle(lane, now)) continue;
      lanes.delete(key);
      running.add(attend('give a lane back', () => leases.release(lane)));
    }
  }

  /** Does for a lane whatever can be done now. */
  function advance(lane: Lane): void {
    if (stopped() || (!mayHaveMore(lane) && lane.waiting.size === 0)) return;
    const now = clock.now();
    if (lane.breaker.allowance(now, 1) === 0) {
      wakeAt(lane.breaker.probeAt ?? now);
      return;
    }
    if (leases.shouldAsk(lane, now)) running.add(lease(lane));
    if (!leases.holds(lane, now)) return;
    readOn(lane, now);
    if (lane.waiting.ready > 0 && !lane.inRow) {
      lane.inRow = true;
      row.push(lane);
    }
    startNext(now);
  }

  async function lease(lane: Lane): Promise<void> {
    await attend('take a lane', () => leases.ask(lane));
    if (leases.holds(lane, clock.now())) advance(lane);
    else {
      letGoOfWaiting(lane);
      wakeAt(Math.max(lane.askAgainAt, clock.now()));
    }
  }

  function readOn(lane: Lane, now: number): void {
    const room = roomIn(lane, now, heldBytes > HELD_BYTES_MAX);
    if (room > 0) running.add(refill(lane, room));
  }

  async function refill(lane: Lane, room: number): Promise<void> {
    lane.reading = true;
    // Set again by any look that begins before the end is reached: something may have been queued behind its back.
    if (lane.readTo === undefined) lane.hasNews = false;
    noteRefill(lane, clock.now());
    const read = await attend('read deliveries', async () => {
      const { accountId, url, readTo: after = START_OF_LANE, inHand } = lane;
      const range = { lane: { accountId, url }, after, now: clock.now(), limit: room, inHand: [...inHand] };
      const { deliveries: held, end } = await queue.read(range);
      lane.readTo = end;
      if (lane.readAnew) return;
      lane.waiting.add(held);
      for (const each of held) lane.inHand.add(each.delivery.seq);
      heldBytes += held.reduce((sum, each) => sum + bytesOf(each), 0);
    });
    // What could not be read is not asked for again and again: the next look begins anew.
    if (!read || lane.readAnew) lane.readTo = undefined;
    lane.readAnew = false;
    lane.reading = false;
    for (const seq of lane.justWritten) lane.inHand.delete(seq);
    lane.justWritten.clear();
    advance(lane);
  }

  function startNext(now: number): void {
    while (freeSlots > 0 && !stopped()) {
      const lane = row.shift();
      if (!lane) return;
      lane.inRow = false;
      const concurrency = freeSlots > SLOTS_FOR_FIRST ? LANE_CONCURRENCY : 1;
      if (!leases.holds(lane, now) || !mayStart(lane, now, concurrency)) continue;
      const held = lane.waiting.start();
      if (held) {
        heldBytes -= bytesOf(held);
        lane.underWay++;
        freeSlots--;
        running.add(run(lane, held));
      }
      if (lane.waiting.ready > 0) {
        lane.inRow = true;
        row.push(lane);
      } else readOn(lane, now);
    }
  }

  async function run(lane: Lane, held: LoadedDelivery): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await attempt(held);
    } catch (error) {
      outcome = postponed(held, error);
    }
    lane.underWay--;
    freeSlots++;
    lane.waiting.over(held);
    judge(lane, outcome);
    advance(lane);
    if (outcome.result) await resultWriter.write(outcome.result);
    letGo(lane, held);
    afterWriting(lane, outcome);
    // All that could start did so above; only a reading may have waited for this end.
    if (roomIn(lane, clock.now(), heldBytes > HELD_BYTES_MAX) > 0) advance(lane);
  }

  function attempt(held: LoadedDelivery): Promise<Outcome> {
    const { delivery, payload } = held;
    if (delivery.size <= LIGHT_BYTES) return deliveryAttempt.run(delivery, payload, stopping.signal);
    return heavy.run(async () => deliveryAttempt.run(delivery, await queue.payloadOf(held), stopping.signal));
  }

  function postponed({ delivery }: LoadedDelivery, error: unknown): Outcome {
    log.warn({ err: error, delivery: delivery.seq }, 'could not try a delivery');
    return { result: deliveryAttempt.postpone(delivery), receiver: 'was not asked' };
  }

  function judge(lane: Lane, { receiver }: Outcome): void {
    const now = clock.now();
    if (receiver === 'works') lane.breaker.succeeded(now);
    if (receiver !== 'fails') return;
    lane.breaker.failed(now);
    if (lane.breaker.allowance(now, 1) === 0) letGoOfWaiting(lane);
  }

  function afterWriting(lane: Lane, { result, receiver }: Outcome): void {
    if (!result || result.drop) return;
    if (result.status === 'delivered' || result.status === 'dead') onEnded(lane.accountId);
    // A delivery that was moved belongs to another lane.
    if (result.url !== null) lookSoon();
    else if (result.status === null && receiver === 'fails') wakeAt(result.dueAt);
  }

  /** What waits stays in the queue, for another time or another process. */
  function letGoOfWaiting(lane: Lane): void {
    const waiting = lane.waiting.clear();
    for (const held of waiting) {
      heldBytes -= bytesOf(held);
      letGo(lane, held);
    }
    if (waiting.length === 0) return;
    lane.readTo = undefined;
    lane.readAnew = lane.reading;
    lane.hasNews = true;
  }

  function letGo(lane: Lane, { delivery: { seq } }: LoadedDelivery): void {
    if (lane.reading) lane.justWritten.add(seq);
    else lane.inHand.delete(seq);
  }

  /** Answers whether it succeeded. */
  async function attend(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ err: error }, `could not ${what}`);
      return false;
    }
  }

  return {
    start() {
      wakeUps ??= bus.subscribe(DELIVERIES_TOPIC, (message) => {
        if (isLaneName(message)) laneOf(message).breaker.probeNow(clock.now());
        lookSoon();
      });
      lookSoon();
    },

    async stop() {
      wakeUps?.stop();
      wakeUps = undefined;
      timer?.cancel();
      const patience = clock.after(STOP_PATIENCE_MS, () => stopping.abort());
      await running.whenIdle();
      patience.cancel();
      await Promise.all(
        [...lanes.values()].map((lane) => attend('give a lane back', () => leases.release(lane))),
      );
    },
  };
}

function bytesOf({ delivery, payload }: LoadedDelivery): number {
  return payload ? delivery.size : 0;
}
