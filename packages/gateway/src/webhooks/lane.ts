import type { Random } from '#kernel';
import { type Breaker, createBreaker } from './breaker.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { Payload } from './event-reader.ts';
import type { LaneName } from './topics.ts';

/** A claimed delivery in memory; a heavy one gets its payload only when its turn comes. */
export interface Held {
  readonly delivery: ClaimedDelivery;
  readonly payload: Payload | undefined;
}

/**
 * What this process knows of one lane. The database holds the queue; a lane holds a short window of it.
 *
 *   database ──claim──▶ waiting ──slot free──▶ under way ──answer──▶ unsettled ──commit──▶ gone
 */
export interface Lane extends LaneName {
  readonly breaker: Breaker;
  waiting: Held[];
  underWay: number;
  /** Tried, but not yet written down. */
  unsettled: number;
  claiming: boolean;
  /** False: the database had nothing more that was due when it was last asked. */
  mayHaveMore: boolean;
  /** Stands in the row of lanes that want a slot. */
  inRow: boolean;
  /** How much it claims at once: more while it empties its window quickly, less when it is slow. */
  window: number;
  refilledAt: number;
}

export const LANE_CONCURRENCY = 4;
const WINDOW = { least: 8, most: 128 };
/** A window that lasts longer than this is too large: what waits in it is kept from other processes for nothing. */
const WINDOW_LASTS_MS = 1_000;

export function createLane({ accountId, url }: LaneName, random: Pick<Random, 'fraction'>): Lane {
  return {
    accountId,
    url,
    breaker: createBreaker(random),
    waiting: [],
    underWay: 0,
    unsettled: 0,
    claiming: false,
    mayHaveMore: false,
    inRow: false,
    window: WINDOW.least,
    refilledAt: Number.NEGATIVE_INFINITY,
  };
}

export function laneKey({ accountId, url }: LaneName): string {
  return `${accountId} ${url}`;
}

/** How many deliveries to claim now. */
export function roomIn(lane: Lane, now: number, memoryIsShort: boolean): number {
  if (!lane.mayHaveMore || lane.claiming) return 0;
  const window = memoryIsShort ? LANE_CONCURRENCY : lane.window;
  const allowed = lane.breaker.allowance(now, window);
  if (lane.waiting.length > allowed / 3) return 0;
  return Math.max(allowed - lane.waiting.length - lane.unsettled - lane.underWay, 0);
}

/** Adapts the window to the pace of the receiver. */
export function noteRefill(lane: Lane, now: number): void {
  const quick = now - lane.refilledAt < WINDOW_LASTS_MS;
  lane.window = quick ? Math.min(lane.window * 2, WINDOW.most) : Math.max(lane.window / 2, WINDOW.least);
  lane.refilledAt = now;
}

/** `concurrency`: how many attempts of one lane may be under way as things are. */
export function mayStart(lane: Lane, now: number, concurrency: number): boolean {
  return lane.waiting.length > 0 && lane.underWay < lane.breaker.allowance(now, concurrency);
}

/** Nothing would be lost by forgetting it. */
export function isIdle(lane: Lane, now: number): boolean {
  const empty = lane.waiting.length + lane.underWay + lane.unsettled === 0;
  return empty && !lane.claiming && !lane.breaker.remembers(now);
}
