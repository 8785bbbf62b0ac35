import type { Clock } from '#kernel';

const SLOTS_PER_ACCOUNT = 2;
const WAIT_MAX_MS = 30_000;

/** Files that are encoded at the same time. Many at once would take the event loop from all other requests. */
export interface FileSlots {
  /** Waits in the order of calls. Resolves to the release of the slot; undefined when the caller has left or the wait was too long. */
  take(accountId: string, left: AbortSignal): Promise<(() => void) | undefined>;
}

interface AccountSlots {
  taken: number;
  readonly waiting: Set<() => void>;
}

export function createFileSlots(clock: Pick<Clock, 'after'>): FileSlots {
  const accounts = new Map<string, AccountSlots>();

  function getTurn(slots: AccountSlots, left: AbortSignal): Promise<boolean> {
    if (slots.taken < SLOTS_PER_ACCOUNT) {
      slots.taken += 1;
      return Promise.resolve(true);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const grant = (): void => end(true);
    const giveUp = (): void => end(false);
    const timer = clock.after(WAIT_MAX_MS, giveUp);
    function end(isGranted: boolean): void {
      slots.waiting.delete(grant);
      timer.cancel();
      left.removeEventListener('abort', giveUp);
      resolve(isGranted);
    }
    left.addEventListener('abort', giveUp);
    slots.waiting.add(grant);
    return promise;
  }

  function release(accountId: string, slots: AccountSlots): void {
    // The slot goes to the next that waits, so that no later call takes it first.
    const [grant] = slots.waiting;
    if (grant) {
      grant();
      return;
    }
    slots.taken -= 1;
    if (slots.taken === 0) accounts.delete(accountId);
  }

  return {
    async take(accountId, left) {
      if (left.aborted) return undefined;
      const slots = accounts.get(accountId) ?? { taken: 0, waiting: new Set() };
      accounts.set(accountId, slots);
      if (!(await getTurn(slots, left))) return undefined;
      let isReleased = false;
      return () => {
        if (!isReleased) release(accountId, slots);
        isReleased = true;
      };
    },
  };
}
