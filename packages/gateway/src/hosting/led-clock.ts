import { type Clock, type TravelClock, waitAtMost } from '#kernel';

/** The clock of a process, which those of its hosting threads follow when the sandbox moves it. */
export interface LedClock extends TravelClock {
  /** How far it was moved so far. */
  travelled(): number;
  /** `move` takes another clock as far, and resolves when it has got there. The answer ends it. */
  lead(move: (ms: number) => Promise<void>): () => void;
  /** Resolves when all have got there; one that does not answer is not waited for very long. */
  arrived(): Promise<void>;
}

const WAIT_FOR_ALL_MS = 20_000;

export function createLedClock(clock: TravelClock, machineClock: Clock): LedClock {
  const followers = new Set<(ms: number) => Promise<void>>();
  const underWay = new Set<Promise<void>>();
  let travelled = 0;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, action) => clock.after(delayMs, action),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    travelled: () => travelled,
    advance(ms) {
      travelled += ms;
      for (const move of followers) {
        const journey = move(ms).finally(() => underWay.delete(journey));
        underWay.add(journey);
      }
      clock.advance(ms);
    },
    lead(move) {
      followers.add(move);
      return () => followers.delete(move);
    },
    arrived: () => waitAtMost(machineClock, WAIT_FOR_ALL_MS, Promise.allSettled(underWay)).then(() => {}),
  };
}
