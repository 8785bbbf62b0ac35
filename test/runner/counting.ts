import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import type { CountedTest } from './counts.ts';
import { COUNTS_VARIABLE } from './nightly.ts';

/** Records each test with the assertions that it made, while a file is named for that. */
const counts = process.env[COUNTS_VARIABLE];
const counted: CountedTest[] = [];

if (counts) {
  afterEach(({ task }) => {
    const titles = [task.name];
    for (let group = task.suite; group; group = group.suite) titles.unshift(group.name);
    counted.push({
      world: process.env.PARLEY_TEST_CLUSTER ? 'cluster' : 'alone',
      file: relative(process.cwd(), task.file.filepath),
      title: titles.join(' > '),
      isNightly: task.tags?.includes('nightly') ?? false,
      assertions: expect.getState().assertionCalls,
    });
  });
  afterAll(() => {
    const lines = counted.splice(0).map((each) => `${JSON.stringify(each)}\n`);
    appendFileSync(counts, lines.join(''));
  });
}
