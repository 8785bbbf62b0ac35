import { growingPause, HOUR_MS, neverRejects, type Timer } from '#kernel';
import type { ClaimedSession } from '../session-queries.ts';
import { type Ending, type Hosting, type HostingParts, hostSession } from './hosting.ts';

export interface PoolParts extends Omit<HostingParts, 'onChange' | 'onEnded'> {
  /** A login slot is free again. */
  readonly onFreeSlot: () => void;
}

/** A login takes a second or more on the real network; the number of processors does not limit it here. */
const LOGINS_AT_ONCE = 32;
/** A login that takes longer goes on, but frees its slot. */
const LOGIN_SLOT_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Two processes that keep taking one link from each other would never get anywhere, and the network would see it. */
const REPLACED_BACKOFF = { firstMs: 30_000, longestMs: 6 * HOUR_MS, jitter: 0 };
/** After this long without a replacement the backoff starts from its first step. */
const STREAK_RESET_MS = 600_000;

/**
 * The sessions inside this process:
 *
 *     start ──▶ logging in ──the first login, or its failure──▶ hosted
 *                  │                                              │
 *                  ├── stopped: its connection is closed ─────────┤──▶ leaving ──▶ (gone)
 *                  └── replaced by another client ────────────────┘──▶ leaving ──▶ resting ──▶ start
 *
 * Must never happen: two hostings of one number. The caller of `start` waits until the one before has left.
 */
export class HostingPool {
  readonly #parts: PoolParts;
  readonly #hostings = new Map<string, Hosting>();
  readonly #loggingIn = new Set<Hosting>();
  readonly #resting = new Map<string, Timer>();
  /** Number of replacements in a row, by link. */
  readonly #replacedStreak = new Map<string, number>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #listeners = new Set<(slotId: string) => void>();
  #round: Timer | undefined;

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#hostings.size;
  }

  /** Logins that may start now. */
  get freeSlots(): number {
    return LOGINS_AT_ONCE - this.#loggingIn.size;
  }

  get(slotId: string): Hosting | undefined {
    return this.#hostings.get(slotId);
  }

  all(): Hosting[] {
    return [...this.#hostings.values()];
  }

  resting(): [slotId: string, rest: Timer][] {
    return [...this.#resting];
  }

  /** Whether the session of this number is hosted, resting or leaving here. */
  knows(slotId: string): boolean {
    return this.#hostings.has(slotId) || this.#resting.has(slotId) || this.#leaving.has(slotId);
  }

  /** Resolves when no earlier hosting of the number is leaving: one link must not be opened twice. */
  hasLeft(slotId: string): Promise<void> | undefined {
    return this.#leaving.get(slotId);
  }

  onChange(listener: (slotId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(claimed: ClaimedSession): Hosting {
    const { slotId } = claimed.number;
    const boardedAt = this.#parts.machineClock.monotonic();
    this.wake(slotId);
    const hosting = hostSession(
      {
        ...this.#parts,
        onChange: (slot) => this.#changed(slot),
        onEnded: (ended, ending) => this.#finish(ended, ending, claimed, boardedAt),
      },
      claimed,
    );
    this.#hostings.set(slotId, hosting);
    this.#loggingIn.add(hosting);
    const arrive = (): void => {
      if (this.#loggingIn.delete(hosting)) this.#parts.onFreeSlot();
    };
    this.#parts.machineClock.after(LOGIN_SLOT_MS, arrive);
    neverRejects(hosting.arrived.then(arrive));
    this.#changed(slotId);
    this.#round ??= this.#lookLater();
    return hosting;
  }

  stopHosting(hosting: Hosting, leave = hosting.close): Promise<void> {
    const { slotId } = hosting.hosted.number;
    const { log } = this.#parts;
    this.#hostings.delete(slotId);
    const gone = leave()
      .catch((error: unknown) => log.warn({ slotId, err: error }, 'a session could not be closed in order'))
      .finally(() => {
        if (this.#leaving.get(slotId) === gone) this.#leaving.delete(slotId);
      });
    this.#leaving.set(slotId, gone);
    this.#changed(slotId);
    return gone;
  }

  /** Ends the rest of a number without starting it. */
  wake(slotId: string): void {
    this.#resting.get(slotId)?.cancel();
    this.#resting.delete(slotId);
  }

  stopAll(): void {
    for (const hosting of this.all()) neverRejects(this.stopHosting(hosting));
    for (const [slotId] of this.resting()) this.wake(slotId);
  }

  /** Resolves when all hostings have left. */
  async stop(): Promise<void> {
    this.#round?.cancel();
    this.stopAll();
    await Promise.all(this.#leaving.values());
  }

  #changed(slotId: string): void {
    for (const listener of this.#listeners) listener(slotId);
  }

  #finish(hosting: Hosting, ending: Ending, claimed: ClaimedSession, boardedAt: number): void {
    const { slotId } = hosting.hosted.number;
    if (this.#hostings.get(slotId) !== hosting) return;
    const gone = this.stopHosting(hosting);
    const { machineClock, random, log } = this.#parts;
    const wasLeftAlone = machineClock.monotonic() - boardedAt >= STREAK_RESET_MS;
    const taken = wasLeftAlone ? 1 : (this.#replacedStreak.get(slotId) ?? 0) + 1;
    this.#replacedStreak.delete(slotId);
    if (ending !== 'replaced') return;
    this.#replacedStreak.set(slotId, taken);
    const restMs = growingPause(REPLACED_BACKOFF, taken, random);
    log.warn({ slotId, restMs }, 'another client uses the link of this number; retrying later');
    const rest = machineClock.after(restMs, () => neverRejects(gone.then(boardAgain)));
    const boardAgain = (): void => {
      if (this.#resting.get(slotId) === rest) this.start(claimed);
    };
    this.#resting.set(slotId, rest);
  }

  /** One timer for all sessions, from the first one on. */
  #lookLater(): Timer {
    return this.#parts.machineClock.after(LOOK_EVERY_MS, () => {
      for (const hosting of this.#hostings.values()) hosting.lookAfter();
      this.#round = this.#lookLater();
    });
  }
}
