import type { SignalKeyStore } from 'baileys';

/** Keys of a connection that leaves nothing behind. */
export function createMemoryKeys(): SignalKeyStore {
  const kept = new Map<string, unknown>();
  return {
    get(kind, ids) {
      const found = ids.flatMap((id) => {
        const value = kept.get(`${kind}/${id}`);
        return value === undefined ? [] : [[id, value] as const];
      });
      // The library names the type of each kind; what lies here was put here by itself.
      return Object.fromEntries(found) as never;
    },
    set(data) {
      for (const [kind, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values ?? {})) {
          if (value === null) kept.delete(`${kind}/${id}`);
          else kept.set(`${kind}/${id}`, value);
        }
      }
    },
  };
}
