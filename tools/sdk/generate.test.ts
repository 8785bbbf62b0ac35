import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CALLS_FILE, sdkCalls } from './calls.ts';
import { FOLDER, generate } from './generate.ts';

test('what is committed was made from this contract; else run `npm run generate -w @parley/sdk`', () => {
  const committed = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]);
  expect(Object.fromEntries(committed)).toEqual(generate());
  expect(readFileSync(CALLS_FILE, 'utf8')).toBe(sdkCalls());
});
