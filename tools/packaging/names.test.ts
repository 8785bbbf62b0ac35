import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PUBLISHED_NAMES, withPublishedNames } from './names.ts';

test('documents use published names of packages only', () => {
  const found = globSync(['*.md', '{docs,packages,examples,deploy}/**/*.md'], {
    exclude: (name) => name === 'node_modules',
  }).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [
      ...text.matchAll(
        /(?:npx|npm (?:i|install|add)(?: (?:-g|--global))?) (?:parley(?![\w-])|@parley\/\S+)|['"`]@parley\/sdk/g,
      ),
    ]
      .filter(() => !/^packages\/(?:gateway|sdk|contract|sandbox)\/README\.md$/.test(file))
      .map(([words]) => `${file}: ${words}`);
  });
  expect(found).toEqual([]);
});

test('renames imports to the names on npm', () => {
  expect(withPublishedNames("from '@parley/contract/plain'; // not @parley/contract-tools")).toBe(
    "from 'parley-contract/plain'; // not @parley/contract-tools",
  );
  for (const [own, published] of Object.entries(PUBLISHED_NAMES)) {
    const folder = own.replace('@parley/', 'packages/');
    expect(withPublishedNames(readFileSync(`${folder}/README.md`, 'utf8'))).toContain(`# ${published}\n`);
  }
});
