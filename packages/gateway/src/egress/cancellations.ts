/** Who is told when a signal aborts. */
export interface Cancellations {
  /** Calls `cancel` when the signal aborts, at once when it has already. */
  listen(signal: AbortSignal, cancel: () => void): { stop(): void };
}

/** One listener per signal, however many requests it could cancel: to add and remove one for each takes longer than to sign its body. */
export function createCancellations(): Cancellations {
  const bySignal = new WeakMap<AbortSignal, Places>();

  function placesOf(signal: AbortSignal): Places {
    const known = bySignal.get(signal);
    if (known) return known;
    const places = createPlaces();
    bySignal.set(signal, places);
    signal.addEventListener('abort', () => {
      for (const cancel of places.taken()) cancel();
    });
    return places;
  }

  return {
    listen(signal, cancel) {
      if (signal.aborted) {
        cancel();
        return { stop() {} };
      }
      const places = placesOf(signal);
      const place = places.take(cancel);
      return { stop: () => places.free(place) };
    },
  };
}

interface Places {
  take(cancel: () => void): number;
  free(place: number): void;
  taken(): (() => void)[];
}

/**
 * Not a Set: with so much coming and going it makes itself anew all the time, and each of its former selves refers to the next. Once one of
 * them is old, all requests that ever stood in one stay in memory until the next great collection of garbage.
 */
function createPlaces(): Places {
  const cancels: ((() => void) | undefined)[] = [];
  const free: number[] = [];
  return {
    take(cancel) {
      const place = free.pop() ?? cancels.length;
      cancels[place] = cancel;
      return place;
    },
    free(place) {
      if (!cancels[place]) return;
      cancels[place] = undefined;
      free.push(place);
    },
    taken: () => cancels.filter((cancel) => cancel !== undefined),
  };
}
