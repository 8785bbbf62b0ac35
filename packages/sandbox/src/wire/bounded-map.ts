/** A map that evicts its oldest entries. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** Makes it the newest entry. */
  set(key: K, value: V): void;
  delete(key: K): boolean;
}

export function createBoundedMap<K, V>(limit: number): BoundedMap<K, V> {
  const entries = new Map<K, V>();
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.keys().next();
      if (entries.size > limit && !oldest.done) entries.delete(oldest.value);
    },
    delete: (key) => entries.delete(key),
  };
}
