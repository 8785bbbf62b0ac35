import type { Measurement } from './coverage.ts';
import type { Spot } from './reach.ts';

export interface TimedTest {
  readonly file: string;
  /** Duration on the unchanged sources. */
  readonly ms: number;
}

/** A test in a mutation's own folder detects it this many times likelier than one far away. */
const NEARER = 4;

/**
 * Tests that run one of these spots, in the order in which they are asked: the shortest first, where those of the folder count as
 * shorter. At least one of them, and more as long as their time fits into the budget.
 */
export function chooseTests(
  spots: readonly Spot[],
  measurements: ReadonlyMap<string, Measurement>,
  isNear: (test: string) => boolean,
  budgetMs: number,
): TimedTest[] {
  const running = [...measurements]
    .filter(([, { hits }]) => spots.some(({ file, point }) => hits.get(file)?.has(point)))
    .map(([file, { ms }]) => ({ file, ms, place: isNear(file) ? ms / NEARER : ms }))
    .sort((one, other) => one.place - other.place || (one.file < other.file ? -1 : 1));
  let left = budgetMs;
  return running.flatMap(({ file, ms }, index) => {
    if (index > 0 && left <= 0) return [];
    left -= ms;
    return [{ file, ms }];
  });
}
