/** Who is told when a signal aborts. */
export interface Cancellations {
  /** Calls `cancel` when the signal aborts, at once when it has already. */
  listen(signal: AbortSignal, cancel: () => void): { stop(): void };
}

/** One listener per signal, however many requests it could cancel: to add and remove one for each takes longer than to sign its body. */
export function createCancellations(): Cancellations {
  const bySignal = new WeakMap<AbortSignal, Set<() => void>>();

  function listenersOf(signal: AbortSignal): Set<() => void> {
    const known = bySignal.get(signal);
    if (known) return known;
    const listeners = new Set<() => void>();
    bySignal.set(signal, listeners);
    signal.addEventListener('abort', () => {
      for (const cancel of listeners) cancel();
    });
    return listeners;
  }

  return {
    listen(signal, cancel) {
      if (signal.aborted) {
        cancel();
        return { stop() {} };
      }
      const listeners = listenersOf(signal);
      listeners.add(cancel);
      return { stop: () => void listeners.delete(cancel) };
    },
  };
}
