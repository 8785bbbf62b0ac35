import path from 'node:path';
import { findSilentFailures } from './check.ts';

/** What runs in production. A test that drops a promise fails by it: nothing takes its rejection from the process. */
const HELD = /^packages\/[\w-]+\/src\//;
const TESTS = /\.test\.tsx?$|\/testing\/|fixture/;
const root = path.join(import.meta.dirname, '../../..');
const found = findSilentFailures(
  root,
  ['tsconfig.json', 'packages/portal/tsconfig.json'],
  (file) => HELD.test(file) && !TESTS.test(file),
);
for (const { file, line, text, message } of found)
  process.stderr.write(`${file}:${line}  ${text}\n  ${message}\n`);
process.exitCode = found.length > 0 ? 1 : 0;
