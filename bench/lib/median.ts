export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Ratio of two values measured in turns, round by round: the speed of a machine changes from minute to minute, and affects both. */
export function medianRatio<Round>(
  measured: readonly Round[],
  floor: readonly Round[],
  pick: (round: Round) => number,
): number {
  const floors = floor.map(pick);
  return median(measured.map((round, number) => pick(round) / (floors[number] ?? Number.NaN)));
}
