import path from 'node:path';
import { report } from '../sources.ts';
import { findSilentFailures } from './check.ts';

/** Production code. A test that drops a promise fails, because no handler catches the rejection. */
const HELD = /^packages\/[\w-]+\/src\//;
const TESTS = /\.test\.tsx?$|\/testing\/|fixture/;
report(
  findSilentFailures(
    path.join(import.meta.dirname, '../../..'),
    ['tsconfig.json', 'packages/portal/tsconfig.json'],
    (file) => HELD.test(file) && !TESTS.test(file),
  ),
);
