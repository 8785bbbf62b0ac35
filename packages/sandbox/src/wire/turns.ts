/** Work that shares a name runs one piece after the other, whatever becomes of the pieces before. */
export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(name, work) {
      const mine = (last.get(name) ?? Promise.resolve()).then(work, work);
      const settled = mine.then(
        () => undefined,
        () => undefined,
      );
      last.set(name, settled);
      void settled.then(() => {
        if (last.get(name) === settled) last.delete(name);
      });
      return mine;
    },
  };
}
