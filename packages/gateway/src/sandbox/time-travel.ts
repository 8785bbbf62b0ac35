import type { Sandbox } from '@parley/sandbox';
import type { ClockControl } from '@parley/sandbox/control';
import { type Clock, type TravelClock, waitAtMost } from '#kernel';

type Vault = Pick<Sandbox['world']['vault'], 'read' | 'write'>;

const SCOPE = 'gateway';
const KEY = 'travelled-ms';

interface TimeTravel extends ClockControl {
  advance(ms: number): void;
  /** Milliseconds, since the virtual network exists. */
  travelled(): number;
  resume(): void;
}

/**
 * The virtual network remembers how far its time was moved, and takes the gateway there again after a restart: what lies in the
 * databases is dated by that time, and time never moves back.
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
 * Gateways elsewhere whose clocks follow the one of this virtual network. Each keeps one question open: how far has time been moved
 * beyond what I know? Asking with a number also says that its clock has got there, so whoever moves the time knows when all have.
 */
export interface Followers {
  /** Answers as soon as time was moved further than `at`, and after a while in any case. */
  follow(follower: string, at: number, gone: AbortSignal): Promise<number>;
  /** Resolves when all have got as far as time was moved. One that does not answer is not waited for very long. */
  arrived(): Promise<void>;
  /** Answers everybody: a server that stops waits for its open questions. */
  close(): void;
}

const ANSWER_WITHIN_MS = 10_000;
/** Between an answer and the next question, on a machine that has much else to do. */
const ASKS_AGAIN_WITHIN_MS = 8_000;
const WAIT_FOR_ALL_MS = 20_000;
const LOOK_EVERY_MS = 200;

interface Follower {
  readonly at: number;
  /** While its question is open: the answer to it. */
  readonly answer: (() => void) | undefined;
  readonly seenAt: number;
}

export function createFollowers({
  clock,
  travelled,
}: {
  /** The machine's. */
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
