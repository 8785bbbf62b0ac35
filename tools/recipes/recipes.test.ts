import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RECIPES } from './recipes.ts';

const ROOT = join(import.meta.dirname, '../..');
const edits = RECIPES.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));

// Types and tests of the result take a minute: `npm test -- recipes`.
test.each(edits)('$name finds its place in $file', ({ file, changes }) => {
  const path = join(ROOT, file);
  let text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  for (const change of changes) text = change(text);
  expect(text).toBeTruthy();
});
