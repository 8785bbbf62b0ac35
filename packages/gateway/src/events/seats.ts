import { EVENT_STREAMS_PER_ACCOUNT, EVENT_STREAMS_PER_KEY } from '@parley/contract';
import type { Soon } from '#http';
import { type Clock, fault } from '#kernel';

/** Those who stay, listening: so many of an account and of a key, and each only for as long as it may. */
export interface Seats {
  /** Throws `too_many_streams`. Whoever takes one must leave it in the end. */
  take(sitter: Sitter): Seat;
  /** Ends all of them. */
  close(): void;
}

export interface Sitter {
  readonly accountId: string;
  /** What they came in with: a key, or a browser that somebody has signed in with. */
  readonly holder: string;
  /** Asked again and again while they stay; the same for all with this holder and number. */
  readonly mayStay: () => Soon<boolean>;
  /** The one number that it is about, where it is about one. */
  readonly slotId: string | undefined;
  /** Aborts when they go away by themselves. */
  readonly signal: AbortSignal;
}

export interface Seat {
  /** Aborts when they have gone away, may no longer stay, or the gateway stops. */
  readonly signal: AbortSignal;
  leave(): void;
}

/** Twice within the second that a revocation may take, so that one slow look does not make it late. */
const LOOK_EVERY_MS = 400;

export function createSeats({
  clock,
  learnNews,
}: {
  clock: Clock;
  /** Makes sure that every change of keys and accounts that is committed by now is known. */
  learnNews: () => Promise<void>;
}): Seats {
  const taken = new Map<Sitter, AbortController>();
  const closing = new AbortController();
  let looking = false;

  function countOf(which: 'accountId' | 'holder', value: string): number {
    let count = 0;
    for (const sitter of taken.keys()) if (sitter[which] === value) count += 1;
    return count;
  }

  async function keepLooking(): Promise<void> {
    if (looking) return;
    looking = true;
    while (taken.size > 0 && !closing.signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, closing.signal).catch(() => {});
      await look();
    }
    looking = false;
  }

  /** Who cannot be proved to be allowed is not. */
  async function look(): Promise<void> {
    const isKnown = await learnNews().then(
      () => true,
      () => false,
    );
    const groups = Map.groupBy(taken.keys(), ({ holder, slotId }) => `${holder} ${slotId ?? ''}`);
    for (const sitters of groups.values()) {
      if (isKnown && (await isAllowed(sitters[0]))) continue;
      for (const sitter of sitters) taken.get(sitter)?.abort();
    }
  }

  return {
    take(sitter) {
      const { accountId, holder, signal } = sitter;
      if (
        countOf('holder', holder) >= EVENT_STREAMS_PER_KEY ||
        countOf('accountId', accountId) >= EVENT_STREAMS_PER_ACCOUNT
      )
        throw fault('too_many_streams');
      const expelling = new AbortController();
      const leave = (): void => void taken.delete(sitter);
      taken.set(sitter, expelling);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      void keepLooking();
      return { signal: AbortSignal.any([signal, expelling.signal, closing.signal]), leave };
    },
    close: () => closing.abort(),
  };
}

async function isAllowed(sitter: Sitter | undefined): Promise<boolean> {
  try {
    return (await sitter?.mayStay()) ?? false;
  } catch {
    return false;
  }
}
