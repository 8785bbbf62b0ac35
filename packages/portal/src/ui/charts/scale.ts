/** The next round number above `value`, so that an axis ends where one can read it and little of it stays empty. */
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

/** Runs of neighbours that have a value: a line is broken where there is none. */
export function runsOf(values: readonly (number | null)[], ceiling: number): Point[][] {
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
