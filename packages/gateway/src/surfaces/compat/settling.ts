import type { MessageState } from '@parley/contract';
import { eventsTopic } from '#events';
import type { Clock } from '#kernel';
import { neverRejects, warnOf } from '#kernel';
import { statesOf } from '#messages';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';

/** Waits for the network's acknowledgement of messages, for surfaces that include it in the answer to a send. */
export interface Settling {
  /** State of the message once it is no longer `accepted`, or after `patienceMs`. */
  settled(accountId: string, messageId: string, patienceMs: number): Promise<MessageState>;
}

interface Watch {
  readonly waiting: Map<string, (state: MessageState) => void>;
  readonly subscription: { stop(): void };
  looking: boolean;
  hasNews: boolean;
}

/** Waiting calls of one account share one query at a time, so its cost does not grow with their number. */
export function createSettling({
  store,
  bus,
  machineClock,
}: {
  store: Pick<Store, 'read'>;
  bus: Pick<Bus, 'subscribe'>;
  machineClock: Pick<Clock, 'after'>;
}): Settling {
  const watches = new Map<string, Watch>();

  function watchOf(accountId: string): Watch {
    const known = watches.get(accountId);
    if (known) return known;
    const watch: Watch = {
      waiting: new Map(),
      subscription: bus.subscribe(eventsTopic(accountId), () => neverRejects(look(watch))),
      looking: false,
      hasNews: false,
    };
    watches.set(accountId, watch);
    return watch;
  }

  async function look(watch: Watch): Promise<void> {
    watch.hasNews = true;
    if (watch.looking) return;
    watch.looking = true;
    try {
      while (watch.hasNews && watch.waiting.size > 0) {
        watch.hasNews = false;
        const states = await statesOf(store, [...watch.waiting.keys()]);
        for (const [id, state] of states) if (state !== 'accepted') watch.waiting.get(id)?.(state);
      }
    } catch (error) {
      // The caller gets `accepted`, the last known state.
      warnOf('could not read the states of sent messages')(error);
    } finally {
      watch.looking = false;
    }
  }

  return {
    async settled(accountId, messageId, patienceMs) {
      const watch = watchOf(accountId);
      const { promise, resolve } = Promise.withResolvers<MessageState>();
      watch.waiting.set(messageId, resolve);
      const patience = machineClock.after(patienceMs, () => resolve('accepted'));
      neverRejects(look(watch));
      try {
        return await promise;
      } finally {
        patience.cancel();
        watch.waiting.delete(messageId);
        if (watch.waiting.size === 0 && watches.delete(accountId)) watch.subscription.stop();
      }
    },
  };
}
