import { expect, vi } from 'vitest';
import type { Store, Tables } from '#platform/store';

/** A store whose reads can be counted, held back and cut off. */
export interface WatchedStore extends Store {
  /** Reads begun since it was made. */
  readonly reads: number;
  /** Resolves when every read has been answered. */
  settled(): Promise<void>;
  /** Reads that have their result and are kept from seeing it. */
  readonly heldReads: number;
  /** Until the answer is called, the next read of this table does not get the result that it has found. */
  holdNextReadOf(table: keyof Tables): () => void;
  /** From now on every read fails, as when the database is out of reach. */
  cutOff(): void;
  reconnect(): void;
}

export function watchStore(store: Store): WatchedStore {
  let reads = 0;
  let heldReads = 0;
  let reachable = true;
  const holds = new Map<string, Promise<void>>();
  const queries = new WeakMap<object, string>();
  const underWay = new Set<object>();

  const read = store.read.withPlugin({
    transformQuery({ node, queryId }) {
      reads++;
      underWay.add(queryId);
      queries.set(queryId, JSON.stringify(node));
      return node;
    },
    async transformResult({ result, queryId }) {
      const query = queries.get(queryId) ?? '';
      const [hold] = [...holds].filter(([table]) => query.includes(`"name":"${table}"`));
      if (hold) {
        const [table, released] = hold;
        holds.delete(table);
        heldReads++;
        await released;
        heldReads--;
      }
      underWay.delete(queryId);
      if (!reachable) throw new Error('the database is out of reach');
      return result;
    },
  });

  // Queries that were compiled before do not pass the plugin on their way out.
  const execute = read.executeQuery.bind(read);
  read.executeQuery = async (query) => {
    const compiled = {};
    underWay.add(compiled);
    return execute<never>(query).finally(() => underWay.delete(compiled));
  };

  return {
    ...store,
    read,
    get reads() {
      return reads;
    },
    get heldReads() {
      return heldReads;
    },
    settled: () => vi.waitFor(() => expect(underWay.size).toBe(0), { interval: 1 }),
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
