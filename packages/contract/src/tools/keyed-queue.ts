/** Runs work of the same key sequentially, in the order of the calls. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    // The caller that awaits the result handles its rejection.
    const over = Promise.allSettled([result]).then(forget);
    last.set(key, over);
    return result;

    function forget(): void {
      if (last.get(key) === over) last.delete(key);
    }
  };
}
