import {
  type CommittedDelivery,
  DELIVERIES_TOPIC,
  type DeliveryQueue,
  type DueWindow,
  isCommittedDelivery,
  isLaneName,
  type LaneName,
  type LoadedDelivery,
  unpackDelivery,
  waitingLanes,
} from '#events';
import { type Clock, createWaitGroup, type LineLog, neverRejects, type Random, writeLine } from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import type { FailingNote } from '../receivers/failing.ts';
import { noteReceiver } from '../write-commands.ts';
import type { DeliveryAttempt, Outcome } from './delivery-attempt.ts';
import { bytesOf, LANE_CONCURRENCY, Lane } from './lane.ts';
import { LaneScanner } from './lane-scanner.ts';
import type { LeaseManager } from './lease-manager.ts';
import type { ResultWriter } from './result-writer.ts';

/** Outcomes of deliveries, for metrics. */
export interface DeliveryFigures {
  deliveryTried(outcome: 'delivered' | 'failed'): void;
  deliveryEnded(outcome: 'delivered' | 'dead'): void;
}

interface DispatcherParts {
  readonly store: Pick<Store, 'read' | 'run' | 'onCommitted'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  readonly machineClock: Pick<Clock, 'monotonic'>;
  readonly random: Pick<Random, 'fraction'>;
  readonly log: LineLog<'debug' | 'info' | 'warn'>;
  readonly leases: LeaseManager;
  readonly queue: DeliveryQueue;
  readonly deliveryAttempt: DeliveryAttempt;
  readonly resultWriter: ResultWriter;
  /** Called with each account that has one more delivery in its history. */
  readonly onEnded: (accountId: string) => void;
  /** The store emits every queued delivery. */
  readonly isNotifiedByStore?: boolean;
  readonly figures?: DeliveryFigures;
}

const SCAN_EVERY_MS = 2_000;
/** Within one process no wake-up is lost. */
const SCAN_WHEN_NOTIFIED_EVERY_MS = 10_000;
/** Attempts under way at once, in all lanes. */
const SLOTS = 512;
/** The last of them are for lanes that have none: however many receivers are slow, another one still gets its first attempt. */
const SLOTS_FOR_FIRST = 256;
/** Payloads in memory; beyond this each lane holds only what it is about to send. */
const LOADED_BYTES_MAX = 64 * 1024 * 1024;
const STOP_PATIENCE_MS = 2_000;

/**
 * Runs the deliveries of this process, lane by lane:
 *
 *     idle ──a scan finds something due──▶ leasing ──another process has it──▶ asleep until it may be asked for again
 *                                             │
 *                                           ours
 *                                             ▼
 *       ┌──the window is half empty──────▶ reading ──nothing more is due──▶ idle ──nothing in hand──▶ released
 *       │                                     │
 *       │                          something may start
 *       │                                     ▼
 *       ├────────────────────────────── in the row ◀──more may start──┐
 *       │                                     │                       │
 *       │                             its turn, a free slot           │
 *       │                                     ▼                       │
 *       └──────────────────────────────  under way ──answered──▶ result written
 *                                             │
 *                                     the breaker opens
 *                                             ▼
 *                           asleep until the next probe, with nothing loaded
 *
 * A delivery that the store emits goes into the queue of a leased lane that has read all before it, and is not read again.
 * A lane reads ahead and has several attempts under way, so it can be in several of these states at a time; each needs the lease.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #scanner: LaneScanner;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes with something that may start, in the order of their turns. */
  readonly #readyQueue = new Set<Lane>();
  readonly #running = createWaitGroup();
  readonly #stopping = new AbortController();
  #freeSlots = SLOTS;
  #loadedBytes = 0;
  #wakeUps: { stop(): void } | undefined;
  #subscription: { stop(): void } | undefined;
  /** Number of wake-ups, and the last one that a scan has covered. */
  #wokenUp = 0;
  #lookedUpTo = 0;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#scanner = new LaneScanner({
      ...parts,
      everyMs: parts.isNotifiedByStore ? SCAN_WHEN_NOTIFIED_EVERY_MS : SCAN_EVERY_MS,
      scan: () => this.#track(this.#attend('look for deliveries', () => this.#scan())),
    });
  }

  start(): void {
    const { bus, clock } = this.#parts;
    this.#wakeUps ??= bus.subscribe(DELIVERIES_TOPIC, (message) => {
      this.#wokenUp++;
      if (isLaneName(message)) this.#laneOf(message).breaker.probeNow(clock.now());
      this.#scanner.scanSoon();
    });
    if (this.#parts.isNotifiedByStore)
      this.#subscription ??= this.#parts.store.onCommitted((news) => {
        if (isCommittedDelivery(news)) this.#enqueue(news);
      });
    this.#scanner.scanSoon();
  }

  /** Starts nothing more, lets what is under way end if it ends soon, and leaves its lanes to others. */
  async stop(): Promise<void> {
    this.#wakeUps?.stop();
    this.#wakeUps = undefined;
    this.#subscription?.stop();
    this.#subscription = undefined;
    this.#scanner.stop();
    const patience = this.#parts.clock.after(STOP_PATIENCE_MS, () => this.#stopping.abort());
    await this.#running.whenIdle();
    patience.cancel();
    await Promise.all([...this.#lanes.values()].map((lane) => this.#release(lane)));
  }

  /** Receivers that are left alone until their next probe. */
  get paused(): number {
    let paused = 0;
    for (const { breaker } of this.#lanes.values()) if (breaker.probeAt !== undefined) paused++;
    return paused;
  }

  get #isStopped(): boolean {
    return this.#wakeUps === undefined;
  }

  get #memoryIsShort(): boolean {
    return this.#loadedBytes > LOADED_BYTES_MAX;
  }

  #laneOf(name: LaneName): Lane {
    const key = `${name.accountId} ${name.url}`;
    const lane = this.#lanes.get(key) ?? new Lane(name, this.#parts.random);
    this.#lanes.set(key, lane);
    return lane;
  }

  async #scan(): Promise<void> {
    const wokenUp = this.#wokenUp;
    const found = await waitingLanes(this.#parts.store);
    this.#lookedUpTo = wokenUp;
    const now = this.#parts.clock.now();
    const seen = new Set<Lane>();
    for (const { dueAt, ...name } of found) {
      const lane = this.#laneOf(name);
      seen.add(lane);
      lane.wantedAt = now;
      if (dueAt <= now) lane.hasNews = true;
      else this.#scanner.scanAt(dueAt);
      this.#advance(lane);
    }
    for (const [key, lane] of this.#lanes) {
      if (seen.has(lane) || !lane.isIdle(now)) continue;
      this.#lanes.delete(key);
      neverRejects(this.#track(this.#release(lane)));
    }
  }

  #enqueue({ lane: name, packed }: CommittedDelivery): void {
    const now = this.#parts.clock.now();
    const lane = this.#laneOf(name);
    lane.wantedAt = now;
    const loaded = packed && unpackDelivery(name, packed);
    // What was sent again or is no longer on hold comes before this, and has to be read.
    const isLatest = this.#wokenUp === this.#lookedUpTo;
    const mayTake = loaded && isLatest && this.#parts.leases.holds(lane, now) && !this.#memoryIsShort;
    if (mayTake && lane.take(loaded, now)) this.#loadedBytes += bytesOf(loaded);
    else lane.hasNews = true;
    this.#advance(lane);
  }

  /** Does for a lane whatever can be done now. */
  #advance(lane: Lane): void {
    if (this.#isStopped || (!lane.mayHaveMore && lane.waiting.size === 0)) return;
    const { clock, leases } = this.#parts;
    const now = clock.now();
    if (lane.breaker.allowance(now, 1) === 0) {
      this.#scanner.scanAt(lane.breaker.probeAt ?? now);
      return;
    }
    if (leases.shouldAsk(lane, now)) neverRejects(this.#track(this.#lease(lane)));
    if (!leases.holds(lane, now)) return;
    this.#readOn(lane, now);
    this.#markReady(lane);
    this.#startNext(now);
  }

  async #lease(lane: Lane): Promise<void> {
    const { clock, leases } = this.#parts;
    await this.#attend('take a lane', () => leases.ask(lane));
    if (leases.holds(lane, clock.now())) this.#advance(lane);
    else {
      this.#loadedBytes -= lane.unload();
      this.#scanner.scanAt(Math.max(lane.askAgainAt, clock.now()));
    }
  }

  #release(lane: Lane): Promise<boolean> {
    return this.#attend('give a lane back', () => this.#parts.leases.release(lane));
  }

  #readOn(lane: Lane, now: number): void {
    const room = lane.roomFor(now, this.#memoryIsShort);
    if (room > 0) neverRejects(this.#track(this.#refill(lane, room)));
  }

  async #refill(lane: Lane, limit: number): Promise<void> {
    const { clock, queue } = this.#parts;
    const range = lane.beginReading(clock.now(), limit);
    let window: DueWindow | undefined;
    await this.#attend('read deliveries', async () => {
      window = await queue.read(range);
    });
    this.#loadedBytes += lane.endReading(window);
    this.#advance(lane);
  }

  #markReady(lane: Lane): void {
    if (lane.waiting.ready > 0) this.#readyQueue.add(lane);
  }

  #startNext(now: number): void {
    while (this.#freeSlots > 0 && !this.#isStopped) {
      const [lane] = this.#readyQueue;
      if (!lane) return;
      this.#readyQueue.delete(lane);
      const concurrency = this.#freeSlots > SLOTS_FOR_FIRST ? LANE_CONCURRENCY : 1;
      if (!this.#parts.leases.holds(lane, now) || !lane.mayStart(now, concurrency)) continue;
      const loaded = lane.waiting.start();
      if (loaded) {
        this.#loadedBytes -= bytesOf(loaded);
        lane.underWay++;
        this.#freeSlots--;
        neverRejects(this.#track(this.#deliver(lane, loaded)));
      }
      if (lane.waiting.ready > 0) this.#markReady(lane);
      else this.#readOn(lane, now);
    }
  }

  async #deliver(lane: Lane, loaded: LoadedDelivery): Promise<void> {
    const { clock, deliveryAttempt, resultWriter } = this.#parts;
    let outcome: Outcome;
    try {
      outcome = await deliveryAttempt.run(loaded, this.#stopping.signal);
    } catch (error) {
      outcome = deliveryAttempt.postpone(loaded, error);
    }
    lane.underWay--;
    this.#freeSlots++;
    lane.waiting.over(loaded);
    this.#logAttempt(lane, loaded, outcome);
    this.#judge(lane, outcome);
    this.#advance(lane);
    if (outcome.result) await resultWriter.write(outcome.result);
    lane.release(loaded);
    this.#afterWriting(lane, outcome);
    // All that could start did so above; only a reading may have waited for this end.
    if (lane.roomFor(clock.now(), this.#memoryIsShort) > 0) this.#advance(lane);
  }

  /** Of a receiver that goes on failing, its first failure alone is a warning. */
  #logAttempt(
    lane: Lane,
    { delivery }: LoadedDelivery,
    { receiver, failure, result, ms = 0 }: Outcome,
  ): void {
    if (receiver === 'was not asked') return;
    const isDead = result !== undefined && !result.drop && result.status === 'dead';
    const level = receiver === 'works' ? 'info' : lane.failing.hasFailed ? 'debug' : 'warn';
    writeLine(this.#parts.log, level, 'event.delivery', {
      eventId: delivery.eventId,
      kind: delivery.kind,
      webhookId: delivery.webhookId,
      receiver: receiverOf(lane),
      attempt: delivery.tries + 1,
      outcome: receiver === 'works' ? 'delivered' : isDead ? 'dead' : 'failed',
      ...(failure && { reason: failure.cause }),
      ...(failure?.statusCode && { status: failure.statusCode }),
      ms,
    });
  }

  #judge(lane: Lane, { receiver, failure, result }: Outcome): void {
    const now = this.#parts.clock.now();
    const { figures } = this.#parts;
    if (receiver === 'works') {
      figures?.deliveryTried('delivered');
      figures?.deliveryEnded('delivered');
    }
    if (receiver === 'fails') figures?.deliveryTried('failed');
    if (result && !result.drop && result.status === 'dead') figures?.deliveryEnded('dead');
    const wasPaused = lane.breaker.probeAt !== undefined;
    if (receiver === 'works') {
      lane.breaker.succeeded(now);
      if (lane.failing.succeeded()) this.#note(lane, null);
    }
    if (receiver === 'works' && wasPaused) this.#parts.log.info(nameOf(lane), 'endpoint resumed');
    if (receiver !== 'fails') return;
    lane.breaker.failed(now);
    const { probeAt } = lane.breaker;
    const note = failure && lane.failing.failed(now, failure, probeAt);
    if (note) this.#note(lane, note);
    if (!wasPaused && probeAt !== undefined) {
      const until = new Date(probeAt).toISOString();
      this.#parts.log.info({ ...nameOf(lane), until }, 'endpoint paused by failures');
    }
    if (lane.breaker.allowance(now, 1) === 0) this.#loadedBytes -= lane.unload();
  }

  /** Beside the delivery, which does not wait for it. */
  #note(lane: Lane, failing: FailingNote | null): void {
    const { accountId, url } = lane;
    const write = async () => void (await this.#parts.store.run(noteReceiver, { accountId, url, failing }));
    const noting = this.#attend('write down how a receiver does', write);
    neverRejects(this.#track(noting.then((written) => written || lane.failing.notWritten())));
  }

  #afterWriting(lane: Lane, { result, receiver }: Outcome): void {
    if (!result || result.drop) return;
    if (result.status === 'delivered' || result.status === 'dead') this.#parts.onEnded(lane.accountId);
    // A delivery that was moved belongs to another lane.
    if (result.url !== null) this.#scanner.scanSoon();
    else if (result.status === null && receiver === 'fails') this.#scanner.scanAt(result.dueAt);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    return work;
  }

  /** Answers whether it succeeded. */
  async #attend(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#parts.log.warn({ err: error }, `could not ${what}`);
      return false;
    }
  }
}

function nameOf(lane: LaneName): { accountId: string; receiver: string } {
  return { accountId: lane.accountId, receiver: receiverOf(lane) };
}

/** For the log. What stands behind the host may be a secret of the account. */
function receiverOf({ url }: LaneName): string {
  return new URL(url).origin;
}
