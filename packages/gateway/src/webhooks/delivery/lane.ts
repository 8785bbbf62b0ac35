import type { LaneName, LanePosition, LoadedDelivery } from '#event-log';
import type { Random } from '#kernel';
import { type Breaker, createBreaker } from './breaker.ts';
import { createWaiting, type Waiting } from './waiting.ts';

/**
 * What this process knows of one lane. The database holds the queue; the process that holds the lane's lease holds a short window of it.
 *
 *   database ──read──▶ waiting ──slot free──▶ under way ──answer──▶ unwritten ──commit──▶ gone
 *                      └──────────────────── in hand ────────────────────┘
 */
export interface Lane extends LaneName {
  readonly breaker: Breaker;
  readonly waiting: Waiting;
  underWay: number;
  /** From being read to having its result written. */
  readonly inHand: Set<number>;
  /** Written since the reading under way began, which may still have seen them. */
  readonly justWritten: Set<number>;
  reading: boolean;
  /** Where the next reading goes on; undefined: from the beginning, past what is in hand. */
  readTo: LanePosition | undefined;
  /** What was read before has been let go of, so that what is just being read comes too early. */
  readAnew: boolean;
  /** Something was due when somebody last looked, after the reading had begun at the beginning. */
  hasNews: boolean;
  /** Stands in the row of lanes that want a slot. */
  inRow: boolean;
  /** How much it reads at once: more while it empties its window quickly, less when it is slow. */
  window: number;
  refilledAt: number;
  /** Until when it belongs to this process; in the past: not any more, or not yet. */
  leasedUntil: number;
  leasing: boolean;
  /** Another process had it when it was last asked for. */
  askAgainAt: number;
}

export const LANE_CONCURRENCY = 4;
const WINDOW = { least: 32, most: 128 };
/** A window that lasts longer than this takes memory for nothing. */
const WINDOW_LASTS_MS = 1_000;
const HELD_UP_MOST = 512;
/** To read past all that is in hand costs something, and mostly brings nothing. */
const LOOK_PAST_EVERY_MS = 1_000;

export function createLane({ accountId, url }: LaneName, random: Pick<Random, 'fraction'>): Lane {
  return {
    accountId,
    url,
    breaker: createBreaker(random),
    waiting: createWaiting(),
    underWay: 0,
    inHand: new Set(),
    justWritten: new Set(),
    reading: false,
    readTo: undefined,
    readAnew: false,
    hasNews: false,
    inRow: false,
    window: WINDOW.least,
    refilledAt: Number.NEGATIVE_INFINITY,
    leasedUntil: Number.NEGATIVE_INFINITY,
    leasing: false,
    askAgainAt: Number.NEGATIVE_INFINITY,
  };
}

export function laneKey({ accountId, url }: LaneName): string {
  return `${accountId} ${url}`;
}

/** False: the database had nothing more that was due when it was last asked. */
export function mayHaveMore({ hasNews, readTo }: Lane): boolean {
  return hasNews || readTo !== undefined;
}

/** How many deliveries to read now. */
export function roomIn(lane: Lane, now: number, memoryIsShort: boolean): number {
  if (lane.reading || !mayHaveMore(lane)) return 0;
  const window = memoryIsShort ? LANE_CONCURRENCY : lane.window;
  const allowed = lane.breaker.allowance(now, window);
  // In large steps, and not for ever ahead of what is written down.
  const isLow = lane.waiting.size <= allowed / 2 && lane.inHand.size < allowed * 2;
  if (isLow) return allowed - lane.waiting.size;
  return isHeldUp(lane, now) && !memoryIsShort ? allowed : 0;
}

/** All that waits is behind others of its chat: further back there may be another chat, which should not wait for these. */
function isHeldUp({ waiting, inHand, readTo, refilledAt }: Lane, now: number): boolean {
  if (waiting.ready > 0 || inHand.size >= HELD_UP_MOST) return false;
  return readTo !== undefined || now - refilledAt >= LOOK_PAST_EVERY_MS;
}

/** Adapts the window to the pace of the receiver. */
export function noteRefill(lane: Lane, now: number): void {
  const quick = now - lane.refilledAt < WINDOW_LASTS_MS;
  lane.window = quick ? Math.min(lane.window * 2, WINDOW.most) : Math.max(lane.window / 2, WINDOW.least);
  lane.refilledAt = now;
}

/** Takes in what was read; answers how many bytes of payloads. */
export function load(lane: Lane, deliveries: readonly LoadedDelivery[]): number {
  lane.waiting.add(deliveries);
  for (const { delivery } of deliveries) lane.inHand.add(delivery.seq);
  return deliveries.reduce((sum, each) => sum + bytesOf(each), 0);
}

/** Lets go of what waits: it stays in the queue, for another time or another process. Answers how many bytes of payloads. */
export function unload(lane: Lane): number {
  const waiting = lane.waiting.clear();
  if (waiting.length === 0) return 0;
  for (const each of waiting) letGo(lane, each);
  lane.readTo = undefined;
  lane.readAnew = lane.reading;
  lane.hasNews = true;
  return waiting.reduce((sum, each) => sum + bytesOf(each), 0);
}

export function letGo({ reading, justWritten, inHand }: Lane, { delivery: { seq } }: LoadedDelivery): void {
  if (reading) justWritten.add(seq);
  else inHand.delete(seq);
}

/** The reading is over, and with it the time in which it could have seen what was written meanwhile. */
export function endReading(lane: Lane, succeeded: boolean): void {
  // What could not be read is not asked for again and again: the next scan begins anew.
  if (!succeeded || lane.readAnew) lane.readTo = undefined;
  lane.readAnew = false;
  lane.reading = false;
  for (const seq of lane.justWritten) lane.inHand.delete(seq);
  lane.justWritten.clear();
}

/** Of its payload in memory. */
export function bytesOf({ delivery, payload }: LoadedDelivery): number {
  return payload ? delivery.size : 0;
}

/** `concurrency`: how many attempts of one lane may be under way as things are. */
export function mayStart(lane: Lane, now: number, concurrency: number): boolean {
  return lane.waiting.ready > 0 && lane.underWay < lane.breaker.allowance(now, concurrency);
}

/** Nothing would be lost by forgetting it. */
export function isIdle(lane: Lane, now: number): boolean {
  return lane.inHand.size === 0 && !lane.reading && !lane.leasing && !lane.breaker.remembers(now);
}
