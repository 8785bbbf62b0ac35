import type { Clock, Timer } from '#kernel';

/** A message that a failed commit or a retry delays comes within seconds. */
export const HELD_MS = 60_000;
const READ_AGAIN_MS = 2_000;
/** More than edits of a busy minute; a sender cannot make the process remember more. */
const MOST_HELD = 256;

/** Arrivals that wait for another one, like an edit that came before its message. They stay in the journal meanwhile. */
export interface HeldArrivals<Item> {
  /** False when it has waited for long enough, or too many wait. */
  mayHold(digest: string): boolean;
  hold(digest: string, item: Item): void;
  release(digest: string): void;
  digests(): Iterable<string>;
  stop(): void;
}

/** Hands all of them to `readAgain` every two seconds, in the order of their arrival. */
export function createHeldArrivals<Item>(
  clock: Pick<Clock, 'after' | 'monotonic'>,
  readAgain: (items: readonly Item[]) => void,
): HeldArrivals<Item> {
  const held = new Map<string, { readonly item: Item; readonly until: number; isBeingRead: boolean }>();
  let timer: Timer | undefined;

  function look(): void {
    timer = undefined;
    const idle = [...held.values()].filter(({ isBeingRead }) => !isBeingRead);
    for (const each of idle) each.isBeingRead = true;
    readAgain(idle.map(({ item }) => item));
  }

  return {
    mayHold(digest) {
      const known = held.get(digest);
      return known ? clock.monotonic() < known.until : held.size < MOST_HELD;
    },
    hold(digest, item) {
      const until = held.get(digest)?.until ?? clock.monotonic() + HELD_MS;
      held.set(digest, { item, until, isBeingRead: false });
      timer ??= clock.after(READ_AGAIN_MS, look);
    },
    release: (digest) => void held.delete(digest),
    digests: () => held.keys(),
    stop: () => timer?.cancel(),
  };
}
