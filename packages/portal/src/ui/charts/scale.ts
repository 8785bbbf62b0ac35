/** Next round number above `value`, as the end of an axis. */
export function niceCeiling(value: number): number {
  if (value <= 1) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * magnitude >= value) ?? 10;
  return step * magnitude;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Runs of neighbouring values; a line has a gap between runs. */
export function splitIntoRuns(values: readonly (number | null)[], ceiling: number): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      run = undefined;
      continue;
    }
    if (!run) {
      run = [];
      runs.push(run);
    }
    run.push({ x: index + 0.5, y: 1 - value / ceiling });
  }
  return runs;
}
