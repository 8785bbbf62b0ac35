import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SDK_FOLDER } from '../sdk/generate.ts';
import { generateAll } from './outputs.ts';

const ROOT = join(import.meta.dirname, '../..');
const outputs = generateAll();

test.each(Object.entries(outputs))('%s is up to date with `npm run gen`', (file, text) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text);
});

test('has no generated file that `npm run gen` does not make', () => {
  const committed = readdirSync(join(ROOT, SDK_FOLDER)).map((name) => `${SDK_FOLDER}/${name}`);
  expect(Object.keys(outputs)).toEqual(expect.arrayContaining(committed));
});
