import { type Clock, growingPause, type Random, type Timer } from '#kernel';
import type { NetworkEvent } from '../../events.ts';

interface Arrival {
  readonly itemId: number;
  /** Undefined for an item without an event; it is acknowledged in its turn all the same. */
  readonly event: NetworkEvent | undefined;
}

export interface InboxOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly deliver: (events: readonly NetworkEvent[]) => Promise<void>;
  readonly acknowledge: (itemIds: readonly number[]) => void;
}

export interface Inbox {
  receive(arrival: Arrival): void;
  /** Accepts nothing more and waits for the call in progress. */
  close(): Promise<void>;
  /** Stops at once: calls in progress are never acknowledged. */
  abandon(): void;
}

const LARGEST_BATCH = 100;
const PAUSE_AFTER_REFUSAL = { firstMs: 500, longestMs: 30_000, jitter: 0.1 };

/**
 * Between the mailbox and the gateway: delivers events in order, one call at a time, and acknowledges only accepted ones to the
 * network. It outlives connections and identifies pending items by number, so that nothing is lost or repeated when a new connection
 * delivers the same items again.
 */
export function createInbox({ clock, random, deliver, acknowledge }: InboxOptions): Inbox {
  const waiting = new Map<number, Arrival>();
  let underWay: Promise<void> | undefined;
  let refusals = 0;
  let pause: Timer | undefined;
  let open = true;
  let abandoned = false;

  const handOver = async (): Promise<void> => {
    // A tick later, so that items delivered together become one call.
    await Promise.resolve();
    while (open && waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, LARGEST_BATCH);
      try {
        const events = batch.flatMap(({ event }) => event ?? []);
        if (events.length > 0) await deliver(events);
      } catch {
        if (!open) return;
        refusals += 1;
        pause = clock.after(growingPause(PAUSE_AFTER_REFUSAL, refusals, random), () => {
          pause = undefined;
          run();
        });
        return;
      }
      refusals = 0;
      if (abandoned) return;
      for (const { itemId } of batch) waiting.delete(itemId);
      acknowledge(batch.map(({ itemId }) => itemId));
    }
  };

  const run = (): void => {
    if (underWay || pause || !open || waiting.size === 0) return;
    underWay = handOver().finally(() => {
      underWay = undefined;
      run();
    });
  };

  return {
    receive(arrival) {
      waiting.set(arrival.itemId, arrival);
      run();
    },
    async close() {
      open = false;
      pause?.cancel();
      await underWay;
    },
    abandon() {
      open = false;
      abandoned = true;
      pause?.cancel();
    },
  };
}
