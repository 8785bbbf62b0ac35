import { setImmediate } from 'node:timers/promises';
import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Store, Tables } from '#platform/store';

/** A store whose reads can be counted, held back and cut off. */
export interface WatchedStore extends Store {
  /** Reads begun since it was made. */
  readonly reads: number;
  /** Resolves when every read and write has been answered. */
  settled(): Promise<void>;
  /** Resolves when no read or write was under way for a few turns of the event loop. */
  untilQuiet(): Promise<void>;
  /** Reads that have their result and are kept from seeing it. */
  readonly heldReads: number;
  /** Until the answer is called, the next read of this table does not get the result that it has found. */
  holdNextReadOf(table: keyof Tables): () => void;
  /** From now on every read fails, as when the database is out of reach. */
  cutOff(): void;
  reconnect(): void;
}

const QUIET_TURNS = 5;
/** Gives a reader an executor of its own. */
const UNCHANGED: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
};

export function watchStore(store: Store): WatchedStore {
  let reads = 0;
  let heldReads = 0;
  let reachable = true;
  const holds = new Map<string, Promise<void>>();
  const underWay = new Set<object>();
  let onSettled: (() => void)[] = [];

  function follow<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    return work.finally(() => {
      underWay.delete(work);
      if (underWay.size > 0) return;
      for (const resolve of onSettled) resolve();
      onSettled = [];
    });
  }

  async function hold(query: object): Promise<void> {
    if (holds.size === 0) return;
    const text = JSON.stringify(query);
    const [held] = [...holds].filter(([table]) => text.includes(`"name":"${table}"`));
    if (!held) return;
    const [table, released] = held;
    holds.delete(table);
    heldReads++;
    await released;
    heldReads--;
  }

  const read = store.read.withPlugin(UNCHANGED);
  // Every query passes here, also one that was compiled before.
  const executor = read.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = <R>(query: CompiledQuery) => {
    reads++;
    return follow(
      execute<R>(query).then(async (result) => {
        await hold(query.query);
        if (!reachable) throw new Error('the database is out of reach');
        return result;
      }),
    );
  };

  /** A turn of the event loop lets a query begin, and its caller go on. */
  async function settled(): Promise<void> {
    await setImmediate();
    while (underWay.size > 0) {
      await new Promise<void>((resolve) => onSettled.push(resolve));
      await setImmediate();
    }
  }

  return {
    ...store,
    read,
    run: (command, item) => follow(store.run(command, item)),
    transaction: (work) => follow(store.transaction(work)),
    get reads() {
      return reads;
    },
    get heldReads() {
      return heldReads;
    },
    settled,
    async untilQuiet() {
      for (let turn = 0; turn < QUIET_TURNS; turn++) {
        await setImmediate();
        if (underWay.size === 0) continue;
        await settled();
        turn = 0;
      }
    },
    holdNextReadOf(table) {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(table, promise);
      return resolve;
    },
    cutOff() {
      reachable = false;
    },
    reconnect() {
      reachable = true;
    },
  };
}
