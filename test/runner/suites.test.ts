import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { suites } from './suites.ts';

const WORKFLOW = join(import.meta.dirname, '../../.github/workflows/test.yml');

it('the workflow of the public forge splits all suites between four machines', () => {
  const { matrix } = parse(readFileSync(WORKFLOW, 'utf8')).jobs.suites.strategy;
  const named: string[] = matrix.suites.flatMap((names: string) => names.split(' '));
  expect(matrix.suites).toHaveLength(4);
  expect(named.toSorted()).toEqual(
    suites
      .filter(({ apart }) => !apart)
      .map(({ name }) => name)
      .toSorted(),
  );
});
