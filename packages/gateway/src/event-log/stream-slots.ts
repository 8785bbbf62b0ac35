import { EVENT_STREAMS_PER_ACCOUNT, EVENT_STREAMS_PER_KEY } from '@parley/contract';
import { type Clock, fault, neverRejects, sleepOrAbort, warnOf } from '#kernel';

/** Those who stay, listening: so many of an account and of a key, and each only for as long as it may. */
interface StreamSlots {
  /** Throws `too_many_streams`. Whoever takes one must leave it in the end. */
  take(subscriber: Subscriber): StreamSlot;
  /** Ends all of them. */
  close(): void;
}

export interface Subscriber {
  readonly accountId: string;
  /** What they came in with: a key, or a browser that somebody has signed in with. */
  readonly holder: string;
  /** Asked again and again while they stay; the same for all with this holder and number. */
  readonly mayStay: () => boolean | Promise<boolean>;
  /** The one number that it is about, where it is about one. */
  readonly slotId: string | undefined;
  /** Aborts when they go away by themselves. */
  readonly signal: AbortSignal;
}

export interface StreamSlot {
  /** Aborts when they have gone away, may no longer stay, or the gateway stops. */
  readonly signal: AbortSignal;
  leave(): void;
}

/** Twice within the second that a revocation may take, so that one slow look does not make it late. */
export const LOOK_EVERY_MS = 400;

export function createStreamSlots({
  clock,
  learnNews,
}: {
  clock: Clock;
  /** Makes sure that every change of keys and accounts that is committed by now is known. */
  learnNews: () => Promise<void>;
}): StreamSlots {
  const taken = new Map<Subscriber, AbortController>();
  const closing = new AbortController();
  let looking = false;

  function countOf(which: 'accountId' | 'holder', value: string): number {
    let count = 0;
    for (const subscriber of taken.keys()) if (subscriber[which] === value) count += 1;
    return count;
  }

  async function keepLooking(): Promise<void> {
    if (looking) return;
    looking = true;
    while (taken.size > 0 && !closing.signal.aborted) {
      await sleepOrAbort(clock, LOOK_EVERY_MS, closing.signal);
      await look();
    }
    looking = false;
  }

  /** Who cannot be proved to be allowed is not. */
  async function look(): Promise<void> {
    const isKnown = await learnNews().then(
      () => true,
      (error: unknown) => {
        warnOf('could not learn who may still listen; all streams end')(error);
        return false;
      },
    );
    const groups = Map.groupBy(taken.keys(), ({ holder, slotId }) => `${holder} ${slotId ?? ''}`);
    for (const subscribers of groups.values()) {
      const [one] = subscribers;
      if (isKnown && one && (await isAllowed(one))) continue;
      for (const subscriber of subscribers) taken.get(subscriber)?.abort();
    }
  }

  return {
    take(subscriber) {
      const { accountId, holder, signal } = subscriber;
      if (
        countOf('holder', holder) >= EVENT_STREAMS_PER_KEY ||
        countOf('accountId', accountId) >= EVENT_STREAMS_PER_ACCOUNT
      )
        throw fault('too_many_streams');
      const expelling = new AbortController();
      const leave = (): void => void taken.delete(subscriber);
      taken.set(subscriber, expelling);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      neverRejects(keepLooking());
      return { signal: AbortSignal.any([signal, expelling.signal, closing.signal]), leave };
    },
    close: () => closing.abort(),
  };
}

async function isAllowed({ mayStay }: Subscriber): Promise<boolean> {
  try {
    return await mayStay();
  } catch (error) {
    warnOf('could not learn whether a stream may go on; it ends')(error);
    return false;
  }
}
