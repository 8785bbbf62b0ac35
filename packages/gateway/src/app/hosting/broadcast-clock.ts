import { type Clock, type TravelClock, waitAtMost } from '#kernel';

/** The clock of a process; its hosting threads follow it when the sandbox moves it. */
export interface BroadcastClock extends TravelClock {
  /** Total time travelled so far. */
  travelled(): number;
  /** `move` advances another clock and resolves when it has arrived. The returned function removes it. */
  addFollower(move: (ms: number) => Promise<void>): () => void;
  /** Resolves when all followers have arrived, or after a timeout for those that do not answer. */
  arrived(): Promise<void>;
}

const WAIT_FOR_ALL_MS = 20_000;

export function createBroadcastClock(clock: TravelClock, machineClock: Clock): BroadcastClock {
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
    addFollower(move) {
      followers.add(move);
      return () => followers.delete(move);
    },
    arrived: () => waitAtMost(machineClock, WAIT_FOR_ALL_MS, Promise.allSettled(underWay)).then(() => {}),
  };
}
