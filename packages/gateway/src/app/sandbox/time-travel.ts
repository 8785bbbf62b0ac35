import type { Sandbox } from '@parley/sandbox';
import type { ClockControl } from '@parley/sandbox/control';
import { type Clock, type TravelClock, waitAtMost } from '#kernel';

type Vault = Pick<Sandbox['world']['vault'], 'read' | 'write'>;

const SCOPE = 'gateway';
const KEY = 'travelled-ms';

interface TimeTravel extends ClockControl {
  advance(ms: number): void;
  /** Milliseconds, since the virtual network was created. */
  travelled(): number;
  resume(): void;
}

/**
 * The virtual network stores how far its time was moved, and a restart moves the gateway's clock again: stored data is dated by that
 * time, and time never moves back.
 */
export function createTimeTravel(vault: Vault, clock: TravelClock): TimeTravel {
  const travelled = (): number => Number(Buffer.from(vault.read(SCOPE, KEY) ?? []).toString() || 0);
  return {
    now: () => clock.now(),
    travelled,
    advance(ms) {
      vault.write(SCOPE, KEY, Buffer.from(String(travelled() + ms)));
      clock.advance(ms);
    },
    resume: () => clock.advance(travelled()),
  };
}

/**
 * Remote gateways whose clocks follow this virtual network's. Each keeps one poll open, with the travelled time that it knows. The
 * poll also confirms that its clock has arrived there, so the mover of time knows when all have.
 */
export interface Followers {
  /** Answers once time was moved further than `at`, or after a timeout. */
  follow(follower: string, at: number, gone: AbortSignal): Promise<number>;
  /** Resolves when all have arrived, or after a timeout for those that do not answer. */
  arrived(): Promise<void>;
  /** Answers all open polls, which a stopping server would wait for. */
  close(): void;
}

const ANSWER_WITHIN_MS = 10_000;
/** Between an answer and the next poll, on a busy machine. */
const ASKS_AGAIN_WITHIN_MS = 8_000;
const WAIT_FOR_ALL_MS = 20_000;
const LOOK_EVERY_MS = 200;

interface Follower {
  readonly at: number;
  /** Answers its open poll. */
  readonly answer: (() => void) | undefined;
  readonly seenAt: number;
}

export function createFollowers({
  clock,
  travelled,
}: {
  /** The machine's clock. */
  clock: Clock;
  travelled: () => number;
}): Followers {
  const followers = new Map<string, Follower>();
  const arrivals = new Set<() => void>();

  function isExpected({ at, answer, seenAt }: Follower): boolean {
    return at < travelled() && (answer !== undefined || clock.monotonic() - seenAt < ASKS_AGAIN_WITHIN_MS);
  }

  function answerAll(): void {
    for (const { answer } of followers.values()) answer?.();
  }

  function noticeArrivals(): void {
    for (const notice of arrivals) notice();
  }

  return {
    async follow(name, at, gone) {
      const answered = Promise.withResolvers<void>();
      const follower: Follower = { at, answer: answered.resolve, seenAt: clock.monotonic() };
      followers.set(name, follower);
      noticeArrivals();
      const leave = (): void => {
        if (followers.get(name) === follower) followers.delete(name);
        noticeArrivals();
        answered.resolve();
      };
      gone.addEventListener('abort', leave, { once: true });
      if (travelled() <= at && !gone.aborted) await waitAtMost(clock, ANSWER_WITHIN_MS, answered.promise);
      gone.removeEventListener('abort', leave);
      if (followers.get(name) === follower) {
        followers.set(name, { at, answer: undefined, seenAt: clock.monotonic() });
      }
      return travelled();
    },

    async arrived() {
      answerAll();
      const giveUpAt = clock.monotonic() + WAIT_FOR_ALL_MS;
      while ([...followers.values()].some(isExpected) && clock.monotonic() < giveUpAt) {
        const noticed = Promise.withResolvers<void>();
        arrivals.add(noticed.resolve);
        await waitAtMost(clock, LOOK_EVERY_MS, noticed.promise);
        arrivals.delete(noticed.resolve);
      }
    },

    close: answerAll,
  };
}
