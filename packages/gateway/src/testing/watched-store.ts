import type { Store } from '#store';

/** A store whose reads can be counted, held back and cut off. */
export interface WatchedStore extends Store {
  /** Reads begun since it was made. */
  readonly reads: number;
  /** Until the answer is called, no read that has been made gets its result. */
  holdResults(): () => void;
  /** From now on every read fails, as when the database is out of reach. */
  cutOff(): void;
  reconnect(): void;
}

export function watchStore(store: Store): WatchedStore {
  let reads = 0;
  let reachable = true;
  let held: Promise<void> | undefined;

  const read = store.read.withPlugin({
    transformQuery({ node }) {
      reads++;
      return node;
    },
    async transformResult({ result }) {
      await held;
      if (!reachable) throw new Error('the database is out of reach');
      return result;
    },
  });

  return {
    ...store,
    read,
    get reads() {
      return reads;
    },
    holdResults() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    cutOff() {
      reachable = false;
    },
    reconnect() {
      reachable = true;
    },
  };
}
