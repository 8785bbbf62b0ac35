import {
  type DueRange,
  type DueWindow,
  type LaneName,
  type LanePosition,
  type LoadedDelivery,
  START_OF_LANE,
} from '#events';
import type { Random } from '#kernel';
import { createFailing, type Failing } from '../receivers/failing.ts';
import { type Breaker, createBreaker } from './breaker.ts';

export const LANE_CONCURRENCY = 4;
const WINDOW = { least: 32, most: 128 };
/** A window that lasts longer than this takes memory for nothing. */
const WINDOW_LASTS_MS = 1_000;
const HELD_UP_MOST = 512;
/** To give a lane back and to take it again is a commit each, more than the delivery itself; where there was one, another often follows. */
const LINGER_MS = 3_000;
/** To read past all that is in hand costs something, and mostly brings nothing. */
const LOOK_PAST_EVERY_MS = 1_000;

/**
 * What this process knows of one lane. The database holds the queue; the process that holds the lane's lease holds a short window of it.
 *
 *   database ──read──▶ waiting ──slot free──▶ under way ──answer──▶ unwritten ──commit──▶ gone
 *                      └──────────────────── in hand ────────────────────┘
 */
export class Lane implements LaneName {
  readonly accountId: string;
  readonly url: string;
  readonly breaker: Breaker;
  readonly failing: Failing = createFailing();
  readonly waiting: Waiting = createWaiting();
  underWay = 0;
  /** Something was due at the last scan, after the reading had begun at the beginning. */
  hasNews = false;
  /** Until when it belongs to this process; in the past: not any more, or not yet. */
  leasedUntil = Number.NEGATIVE_INFINITY;
  leasing = false;
  /** When a scan last found something in it. */
  wantedAt = Number.NEGATIVE_INFINITY;
  /** Another process had it when it was last asked for. */
  askAgainAt = Number.NEGATIVE_INFINITY;
  /** From being read to having its result written. */
  readonly #inHand = new Set<number>();
  /** Written since the reading under way began, which may still have seen them. */
  readonly #justWritten = new Set<number>();
  #reading = false;
  /** Where the next reading goes on; undefined: from the beginning, past what is in hand. */
  #readTo: LanePosition | undefined;
  /** What was read before has been let go of, so that what is just being read comes too early. */
  #readAnew = false;
  /** How much it reads at once: more while it empties its window quickly, less when it is slow. */
  #window = WINDOW.least;
  #refilledAt = Number.NEGATIVE_INFINITY;

  constructor({ accountId, url }: LaneName, random: Pick<Random, 'fraction'>) {
    this.accountId = accountId;
    this.url = url;
    this.breaker = createBreaker(random);
  }

  /** False: the database had nothing more that was due when it was last asked. */
  get mayHaveMore(): boolean {
    return this.hasNews || this.#readTo !== undefined;
  }

  /** How many deliveries to read now. */
  roomFor(now: number, memoryIsShort: boolean): number {
    if (this.#reading || !this.mayHaveMore) return 0;
    const allowed = this.breaker.allowance(now, memoryIsShort ? LANE_CONCURRENCY : this.#window);
    // In large steps, and not for ever ahead of what is written down.
    const isLow = this.waiting.size <= allowed / 2 && this.#inHand.size < allowed * 2;
    if (isLow) return allowed - this.waiting.size;
    return this.#isHeldUp(now) && !memoryIsShort ? allowed : 0;
  }

  /** All that waits is behind others of its chat: further back there may be another chat, which should not wait for these. */
  #isHeldUp(now: number): boolean {
    if (this.waiting.ready > 0 || this.#inHand.size >= HELD_UP_MOST) return false;
    return this.#readTo !== undefined || now - this.#refilledAt >= LOOK_PAST_EVERY_MS;
  }

  /** What to read; the window adapts to the pace of the receiver. */
  beginReading(now: number, limit: number): DueRange {
    const { accountId, url } = this;
    this.#reading = true;
    // Set again by any scan that begins before the end is reached: something may have been queued behind its back.
    if (this.#readTo === undefined) this.hasNews = false;
    const quick = now - this.#refilledAt < WINDOW_LASTS_MS;
    this.#window = quick ? Math.min(this.#window * 2, WINDOW.most) : Math.max(this.#window / 2, WINDOW.least);
    this.#refilledAt = now;
    return {
      lane: { accountId, url },
      after: this.#readTo ?? START_OF_LANE,
      now,
      limit,
      inHand: [...this.#inHand],
    };
  }

  /** Takes in what was read; answers how many bytes of payloads. What could not be read is not asked for before the next scan. */
  endReading(window: DueWindow | undefined): number {
    const deliveries = (!this.#readAnew && window?.deliveries) || [];
    this.waiting.add(deliveries);
    for (const { delivery } of deliveries) this.#inHand.add(delivery.seq);
    this.#readTo = this.#readAnew ? undefined : window?.end;
    this.#readAnew = false;
    this.#reading = false;
    for (const seq of this.#justWritten) this.#inHand.delete(seq);
    this.#justWritten.clear();
    return sumOfBytes(deliveries);
  }

  /** Takes in what was queued this moment, where it is all that a reading would bring; false: it has to be read. */
  take(loaded: LoadedDelivery, now: number): boolean {
    const { seq } = loaded.delivery;
    if (this.#inHand.has(seq)) return true;
    if (this.#reading || this.mayHaveMore) return false;
    if (this.waiting.size >= this.breaker.allowance(now, this.#window)) return false;
    this.#inHand.add(seq);
    this.waiting.add([loaded]);
    return true;
  }

  /** Lets go of what waits: it stays in the queue, for another time or another process. Answers how many bytes of payloads. */
  unload(): number {
    const waiting = this.waiting.clear();
    if (waiting.length === 0) return 0;
    for (const each of waiting) this.release(each);
    this.#readTo = undefined;
    this.#readAnew = this.#reading;
    this.hasNews = true;
    return sumOfBytes(waiting);
  }

  release({ delivery: { seq } }: LoadedDelivery): void {
    if (this.#reading) this.#justWritten.add(seq);
    else this.#inHand.delete(seq);
  }

  /** `concurrency`: how many attempts of one lane may be under way as things are. */
  mayStart(now: number, concurrency: number): boolean {
    return this.waiting.ready > 0 && this.underWay < this.breaker.allowance(now, concurrency);
  }

  /** Nothing would be lost by forgetting it, and nothing is soon to come by all that is known. */
  isIdle(now: number): boolean {
    const isQuiet = Math.abs(now - this.wantedAt) >= LINGER_MS;
    return (
      isQuiet && this.#inHand.size === 0 && !this.#reading && !this.leasing && !this.breaker.remembers(now)
    );
  }
}

/** Of the payload in memory. */
export function bytesOf({ delivery, payload }: LoadedDelivery): number {
  return payload ? delivery.size : 0;
}

function sumOfBytes(deliveries: readonly LoadedDelivery[]): number {
  return deliveries.reduce((sum, each) => sum + bytesOf(each), 0);
}

/**
 * What a lane has read and not started yet. Of one chat only the oldest may start, and the next one when its attempt is over; what belongs to
 * no chat's order may start at any time.
 *
 *   add ──▶ ready ──start──▶ under way ──over──▶
 *     └──▶ behind the one of its chat that is ready or under way ──over of that one──▶ ready
 */
interface Waiting {
  readonly size: number;
  /** How many of them may start. */
  readonly ready: number;
  add(held: readonly LoadedDelivery[]): void;
  /** Takes out the oldest that may start. */
  start(): LoadedDelivery | undefined;
  /** The attempt of one that was started has come to its end, whichever. */
  over(held: LoadedDelivery): void;
  /** Takes out all of them. A chat with an attempt under way stays taken until that is over. */
  clear(): LoadedDelivery[];
}

interface Chat {
  /** The one in front is under way; else it is ready. */
  underWay: boolean;
  behind: LoadedDelivery[];
}

function createWaiting(): Waiting {
  let ready: LoadedDelivery[] = [];
  let behindOthers = 0;
  /** Those with one in front. */
  const chats = new Map<string, Chat>();

  function addOne(held: LoadedDelivery): void {
    const chat = held.chat === undefined ? undefined : chats.get(held.chat);
    if (chat) {
      chat.behind.push(held);
      behindOthers++;
      return;
    }
    if (held.chat !== undefined) chats.set(held.chat, { underWay: false, behind: [] });
    ready.push(held);
  }

  /** Among those that may start it takes the place that it was queued for. */
  function makeReady(held: LoadedDelivery): void {
    const place = ready.findIndex((other) => comesBefore(held, other));
    if (place === -1) ready.push(held);
    else ready.splice(place, 0, held);
  }

  return {
    get size() {
      return ready.length + behindOthers;
    },
    get ready() {
      return ready.length;
    },
    add(held) {
      for (const each of held) addOne(each);
    },
    start() {
      const held = ready.shift();
      const chat = held?.chat === undefined ? undefined : chats.get(held.chat);
      if (chat) chat.underWay = true;
      return held;
    },
    over(held) {
      const chat = held.chat === undefined ? undefined : chats.get(held.chat);
      if (held.chat === undefined || !chat) return;
      const next = chat.behind.shift();
      if (!next) {
        chats.delete(held.chat);
        return;
      }
      chat.underWay = false;
      behindOthers--;
      makeReady(next);
    },
    clear() {
      const all = ready;
      for (const [name, chat] of chats) {
        all.push(...chat.behind);
        if (chat.underWay) chat.behind = [];
        else chats.delete(name);
      }
      ready = [];
      behindOthers = 0;
      return all;
    },
  };
}

function comesBefore({ delivery: one }: LoadedDelivery, { delivery: other }: LoadedDelivery): boolean {
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.seq < other.seq);
}
