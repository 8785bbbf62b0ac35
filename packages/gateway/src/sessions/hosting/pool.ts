import { growingPause, neverRejects, type Timer } from '#kernel';
import type { ClaimedSession } from '../store.ts';
import { type Ending, type Hosting, type HostingParts, hostSession } from './hosting.ts';

export interface PoolParts extends Omit<HostingParts, 'onChange' | 'onEnded'> {
  /** A place in boarding is free again. */
  readonly onRoom: () => void;
}

/** A login takes a second or more on the real network; how many of them a processor can take is not decided here. */
const BOARDING_AT_ONCE = 32;
/** A login that takes longer goes on, but keeps nobody else waiting. */
const BOARDING_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Two processes that keep taking one link from each other would never get anywhere, and the network would see it. */
const REST = { firstMs: 30_000, longestMs: 6 * 3_600_000, jitter: 0 };
/** Who was left alone for so long rests from the shortest time again. */
const LEFT_ALONE_MS = 600_000;

/**
 * The sessions inside this process:
 *
 *     board ──▶ boarding ──the first login, or its failure──▶ hosted
 *                  │                                            │
 *                  ├── let go: its connection is closed ────────┤──▶ leaving ──▶ (gone)
 *                  └── taken by a stranger ─────────────────────┘──▶ leaving ──▶ resting ──▶ board
 *
 * Must never happen: two hostings of one number. Whoever boards a number sees to it that the one before has left.
 */
export class HostingPool {
  readonly #parts: PoolParts;
  readonly #hostings = new Map<string, Hosting>();
  readonly #boarding = new Set<Hosting>();
  readonly #resting = new Map<string, Timer>();
  /** How often a stranger took each link in a row. */
  readonly #taken = new Map<string, number>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #listeners = new Set<(slotId: string) => void>();
  #round: Timer | undefined;

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#hostings.size;
  }

  /** How many more may board at this moment. */
  get room(): number {
    return BOARDING_AT_ONCE - this.#boarding.size;
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

  /** Whether anything is done here with the session of this number. */
  knows(slotId: string): boolean {
    return this.#hostings.has(slotId) || this.#resting.has(slotId) || this.#leaving.has(slotId);
  }

  /** One link must not be opened twice: resolves when no earlier hosting of the number is on its way out. */
  hasLeft(slotId: string): Promise<void> | undefined {
    return this.#leaving.get(slotId);
  }

  onChange(listener: (slotId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  board(claimed: ClaimedSession): Hosting {
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
    this.#boarding.add(hosting);
    const arrive = (): void => {
      tooLong.cancel();
      if (this.#boarding.delete(hosting)) this.#parts.onRoom();
    };
    const tooLong = this.#parts.machineClock.after(BOARDING_MS, arrive);
    neverRejects(hosting.arrived.then(arrive));
    this.#changed(slotId);
    this.#round ??= this.#lookLater();
    return hosting;
  }

  letGo(hosting: Hosting, leave = hosting.close): Promise<void> {
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

  /** Ends the rest of a number without boarding it. */
  wake(slotId: string): void {
    this.#resting.get(slotId)?.cancel();
    this.#resting.delete(slotId);
  }

  letGoOfAll(): void {
    for (const hosting of this.all()) neverRejects(this.letGo(hosting));
    for (const [slotId] of this.resting()) this.wake(slotId);
  }

  /** Resolves when everybody has left. */
  async stop(): Promise<void> {
    this.#round?.cancel();
    this.letGoOfAll();
    await Promise.all(this.#leaving.values());
  }

  #changed(slotId: string): void {
    for (const listener of this.#listeners) listener(slotId);
  }

  #finish(hosting: Hosting, ending: Ending, claimed: ClaimedSession, boardedAt: number): void {
    const { slotId } = hosting.hosted.number;
    if (this.#hostings.get(slotId) !== hosting) return;
    const gone = this.letGo(hosting);
    const { machineClock, random, log } = this.#parts;
    const wasLeftAlone = machineClock.monotonic() - boardedAt >= LEFT_ALONE_MS;
    const taken = wasLeftAlone ? 1 : (this.#taken.get(slotId) ?? 0) + 1;
    this.#taken.delete(slotId);
    if (ending !== 'replaced') return;
    this.#taken.set(slotId, taken);
    const restMs = growingPause(REST, taken, random);
    log.warn({ slotId, restMs }, 'another client uses the link of this number; trying again later');
    const rest = machineClock.after(restMs, () => neverRejects(gone.then(boardAgain)));
    const boardAgain = (): void => {
      if (this.#resting.get(slotId) === rest) this.board(claimed);
    };
    this.#resting.set(slotId, rest);
  }

  /** One watch for all sessions, from the first one on. */
  #lookLater(): Timer {
    return this.#parts.machineClock.after(LOOK_EVERY_MS, () => {
      for (const hosting of this.#hostings.values()) hosting.lookAfter();
      this.#round = this.#lookLater();
    });
  }
}
