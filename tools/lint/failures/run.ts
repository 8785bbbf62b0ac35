import path from 'node:path';
import { report } from '../sources.ts';
import { findSilentFailures } from './check.ts';

/** What runs in production. A test that drops a promise fails by it: nothing takes its rejection from the process. */
const HELD = /^packages\/[\w-]+\/src\//;
const TESTS = /\.test\.tsx?$|\/testing\/|fixture/;
report(
  findSilentFailures(
    path.join(import.meta.dirname, '../../..'),
    ['tsconfig.json', 'packages/portal/tsconfig.json'],
    (file) => HELD.test(file) && !TESTS.test(file),
  ),
);
