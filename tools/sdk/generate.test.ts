import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, generate } from './generate.ts';

test('what is committed was made from this contract; else run `npm run generate -w @parley/sdk`', () => {
  const committed = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]);
  expect(Object.fromEntries(committed)).toEqual(generate());
});
