import type { RowMemory } from '../types.ts';

/** Enough for every number that one machine hosts; what is forgotten is read again. */
const MOST_REMEMBERED = 50_000;

/** Rows that commands remember between their batches, by name, so that several commands can share them. */
export interface Memories {
  of<Row>(name: string): RowMemory<Row>;
  /** The rows may have changed without their commands: nothing that is remembered of them counts any more. */
  forget(): void;
}

export function createMemories(mostRemembered = MOST_REMEMBERED): Memories {
  const byName = new Map<string, Map<string, unknown>>();

  function rowsOf(name: string): Map<string, unknown> {
    const rows = byName.get(name) ?? new Map<string, unknown>();
    byName.set(name, rows);
    return rows;
  }

  return {
    of<Row>(name: string): RowMemory<Row> {
      const rows = rowsOf(name);
      return {
        // Whoever shares a name shares the type of its rows.
        get: (key) => rows.get(key) as Row | undefined,
        set(key, row) {
          if (rows.size >= mostRemembered && !rows.has(key)) rows.clear();
          rows.set(key, row);
        },
      };
    },
    forget() {
      for (const rows of byName.values()) rows.clear();
    },
  };
}
