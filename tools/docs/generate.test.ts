import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, type ErrorCode, sampleError } from '@parley/contract';
import { expect, test } from 'vitest';
import { FOLDER, generate } from './generate.ts';

const pages = generate();

test.each(Object.entries(pages))(
  '%s is what the contract says; `npm run docs` makes it anew',
  (file, text) => {
    expect(readFileSync(join(FOLDER, file), 'utf8')).toBe(text);
  },
);

test.each(Object.keys(ERRORS) as ErrorCode[])('error %s has a section with its exact text', (code) => {
  expect(pages['errors.md']).toContain(`\n### ${sampleError(code).text}\n`);
});
