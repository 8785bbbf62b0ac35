import path from 'node:path';
import { report } from '../sources.ts';
import { findWeakTests } from './check.ts';
import { PACING } from './pacing.ts';

report(
  findWeakTests(
    path.join(import.meta.dirname, '../../..'),
    ['tsconfig.json', 'packages/portal/tsconfig.json'],
    {
      isTest: (file) => /\.test\.tsx?$|^packages\/.*\/testing\//.test(file),
      isScript: (file) => file.startsWith('test/'),
      mayPace: (file) => Object.hasOwn(PACING, file),
    },
  ),
);
