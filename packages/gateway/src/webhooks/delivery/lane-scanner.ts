import type { Clock, Timer } from '#kernel';
import { neverRejects } from '#kernel';

const QUICK_SCAN_MS = 5;

/** Decides when the database is scanned for lanes with something due: when asked to, at given times, and every so often anyway. */
export class LaneScanner {
  readonly #clock: Clock;
  readonly #machineClock: Pick<Clock, 'monotonic'>;
  readonly #everyMs: number;
  readonly #scan: () => Promise<unknown>;
  #stopped = false;
  #scanning = false;
  #scanAgain = false;
  #timer: Timer | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  /** The machine's clock measures how long a scan takes, which must not reject. `everyMs` is what a lost wake-up costs at most. */
  constructor(parts: {
    readonly clock: Clock;
    readonly machineClock: Pick<Clock, 'monotonic'>;
    readonly everyMs: number;
    readonly scan: () => Promise<unknown>;
  }) {
    this.#clock = parts.clock;
    this.#machineClock = parts.machineClock;
    this.#everyMs = parts.everyMs;
    this.#scan = parts.scan;
  }

  /** Runs one scan at a time; a request during a scan causes another one, because the running one may have missed its delivery. */
  scanSoon(): void {
    if (this.#stopped) return;
    this.#scanAgain = this.#scanning;
    if (this.#scanning) return;
    this.#scanning = true;
    const begun = this.#machineClock.monotonic();
    const scanned = this.#scan().then(() => {
      this.#scanning = false;
      this.scanAt(this.#clock.now() + this.#everyMs);
      if (!this.#scanAgain) return;
      // With very many lanes a scan takes its time: then more wake-ups share one.
      const took = this.#machineClock.monotonic() - begun;
      if (took > QUICK_SCAN_MS) this.scanAt(this.#clock.now() + took);
      else this.scanSoon();
    });
    neverRejects(scanned);
  }

  scanAt(time: number): void {
    if (this.#stopped || time >= this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = time;
    this.#timer = this.#clock.after(time - this.#clock.now(), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.scanSoon();
    });
  }

  /** Begins no more. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }
}
