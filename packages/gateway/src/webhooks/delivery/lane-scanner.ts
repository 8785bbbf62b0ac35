import type { Clock, Timer } from '#kernel';

/** Decides when the database is scanned for lanes with something due: when asked to, at given times, and every so often anyway. */
export interface LaneScanner {
  start(): void;
  /** One scan at a time; whoever asks meanwhile gets another one after it, for what it wants may just have been missed. */
  scanSoon(): void;
  scanAt(time: number): void;
  /** Begins no more. */
  stop(): void;
}

/** What a lost wake-up costs at most. */
const SCAN_EVERY_MS = 2_000;
const QUICK_SCAN_MS = 5;

export function createLaneScanner({
  clock,
  machineClock,
  scan,
}: {
  clock: Clock;
  /** Measures how long a scan takes. */
  machineClock: Pick<Clock, 'monotonic'>;
  /** Must not reject. */
  scan: () => Promise<unknown>;
}): LaneScanner {
  let stopped = true;
  let scanning = false;
  let scanAgain = false;
  let timer: Timer | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  function scanAt(time: number): void {
    if (stopped || time >= timerAt) return;
    timer?.cancel();
    timerAt = time;
    timer = clock.after(time - clock.now(), () => {
      timerAt = Number.POSITIVE_INFINITY;
      scanSoon();
    });
  }

  function scanSoon(): void {
    if (stopped) return;
    if (scanning) {
      scanAgain = true;
      return;
    }
    scanning = true;
    scanAgain = false;
    const begun = machineClock.monotonic();
    void scan().then(() => {
      scanning = false;
      scanAt(clock.now() + SCAN_EVERY_MS);
      if (!scanAgain) return;
      // With very many lanes a scan takes its time: then more wake-ups share one.
      const took = machineClock.monotonic() - begun;
      if (took > QUICK_SCAN_MS) scanAt(clock.now() + took);
      else scanSoon();
    });
  }

  return {
    start() {
      stopped = false;
      scanSoon();
    },
    scanSoon,
    scanAt,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
