/**
 * Sorts ascending by key, by code unit like `sort()`: `localeCompare` loads a large library. Stable. Rows sorted this way are locked
 * in the same order everywhere.
 */
export function sortBy<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  return [...items].sort((one, other) => compare(keyOf(one), keyOf(other)));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
