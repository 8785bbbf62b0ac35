import path from 'node:path';
import { findSilentFailures } from './check.ts';

/** What runs in production. A test that drops a promise fails by it: nothing takes its rejection from the process. */
const HELD = /^packages\/[\w-]+\/src\//;
const TESTS = /\.test\.tsx?$|\/testing\/|fixture/;
/** Still to be gone through; nothing new comes here. */
const NOT_YET = /^packages\/(?:portal|sandbox|gateway\/src\/compat\/evolution\/instance)\//;

const root = path.join(import.meta.dirname, '../../..');
const found = findSilentFailures(
  root,
  ['tsconfig.json'],
  (file) => HELD.test(file) && !TESTS.test(file) && !NOT_YET.test(file),
);
for (const { file, line, text, message } of found)
  process.stderr.write(`${file}:${line}  ${text}\n  ${message}\n`);
process.exitCode = found.length > 0 ? 1 : 0;
