/** Runs work on the same name one after the other, in the order in which it came. */
export type InLine = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createInLine(): InLine {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const result = before.then(work, work);
    const settled = result.catch(() => {});
    last.set(name, settled);
    void settled.then(() => {
      if (last.get(name) === settled) last.delete(name);
    });
    return result;
  };
}
