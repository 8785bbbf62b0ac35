/** One statement writes a row once. What is told twice is the same; of two reactions of one person the later counts. */
export function lastOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return [...byKey.values()];
}

export function inOrder<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
