export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Of what was measured by turns, round by round: a machine is faster in one minute than in the next, and that weighs on both. */
export function medianRatio<Round>(
  measured: readonly Round[],
  floor: readonly Round[],
  pick: (round: Round) => number,
): number {
  const floors = floor.map(pick);
  return median(measured.map((round, number) => pick(round) / (floors[number] ?? Number.NaN)));
}
