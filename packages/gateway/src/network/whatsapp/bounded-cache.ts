/** Least-recently-used cache with a total weight. Many sessions share one and prefix their keys with their own name. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** Deletes every key that begins with `prefix`. */
  deleteAll(prefix: string): void;
}

export function createBoundedCache<V>({
  limit,
  weigh = () => 1,
}: {
  limit: number;
  weigh?: (value: V) => number;
}): BoundedCache<V> {
  const entries = new Map<string, V>();
  let weight = 0;

  function remove(key: string): V | undefined {
    const value = entries.get(key);
    if (value === undefined) return undefined;
    entries.delete(key);
    weight -= weigh(value);
    return value;
  }

  function add(key: string, value: V): void {
    entries.set(key, value);
    weight += weigh(value);
    if (weight > limit) shrink();
  }

  /** Apart from `add`: finding the oldest entry costs more than everything else, and there is mostly room. */
  function shrink(): void {
    for (const oldest of entries.keys()) {
      if (weight <= limit) return;
      remove(oldest);
    }
  }

  return {
    get(key) {
      const value = remove(key);
      if (value !== undefined) add(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      add(key, value);
    },
    delete: (key) => void remove(key),
    deleteAll(prefix) {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) remove(key);
    },
  };
}
