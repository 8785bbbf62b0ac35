import { readFileSync } from 'node:fs';

/** A test that ran. */
export interface CountedTest {
  /** Whether it ran against one process or a cluster. */
  readonly world: 'alone' | 'cluster';
  readonly file: string;
  readonly title: string;
  readonly isNightly: boolean;
  /** Those of its last look, where it polls. */
  readonly assertions: number;
}

export interface Comparison {
  /** Tests and assertions of each run. */
  readonly summary: readonly string[];
  /** One line for each test that only the first run has, or that makes fewer assertions in the second. */
  readonly lost: readonly string[];
}

/** Compares two runs by the titles of their tests; tests at night are counted apart. */
export function compareCounts(before: readonly CountedTest[], after: readonly CountedTest[]): Comparison {
  const [first, second] = [byTitle(before), byTitle(after)];
  const lost = [...first].flatMap(([title, { tests, assertions }]) => {
    const now = second.get(title) ?? { tests: 0, assertions: 0 };
    if (now.tests < tests) return [`${title}: ${tests} → ${now.tests} tests`];
    return now.assertions < assertions ? [`${title}: ${assertions} → ${now.assertions} assertions`] : [];
  });
  return { summary: [`before: ${total(before)}`, `after: ${total(after)}`], lost };
}

interface Sum {
  readonly tests: number;
  readonly assertions: number;
}

/** Cases of a table may share a title. */
function byTitle(tests: readonly CountedTest[]): Map<string, Sum> {
  const groups = Map.groupBy(tests, ({ world, file, title }) => `${world}: ${file} > ${title}`);
  return new Map([...groups].map(([title, group]) => [title, sumOf(group)]));
}

function sumOf(tests: readonly CountedTest[]): Sum {
  return { tests: tests.length, assertions: tests.reduce((sum, { assertions }) => sum + assertions, 0) };
}

function total(all: readonly CountedTest[]): string {
  return [false, true]
    .map((isNightly) => {
      const { tests, assertions } = sumOf(all.filter((each) => each.isNightly === isNightly));
      return `${tests} tests with ${assertions} assertions${isNightly ? ' at night' : ''}`;
    })
    .join(', ');
}

function read(file: string): CountedTest[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** `PARLEY_TEST_COUNTS=<file> npm test` records a run; `npm run test:counts -- <before> <after>` compares two. */
if (import.meta.main) {
  const [before, after] = process.argv.slice(2);
  if (!before || !after) throw new Error('Pass the files of two runs, the older first.');
  const { summary, lost } = compareCounts(read(before), read(after));
  for (const line of [...summary, ...lost]) console.log(line);
  process.exitCode = lost.length > 0 ? 1 : 0;
}
