import {
  ERRORS,
  type ErrorCode,
  EVENT_CATEGORIES,
  EVENT_KINDS,
  EXTENSION_NAMES,
  eventKindsOf,
  extensionOfKind,
  sampleError,
  URL_FIELD_OF_CATEGORY,
} from '@parley/contract';
import { expect, test } from 'vitest';
import { current, generate } from './generate.ts';

const pages = generate();

test.each(Object.entries(pages))('%s is what the tables say; `npm run docs` makes it anew', (file, text) => {
  expect(current(file)).toBe(text);
});

test.each(Object.keys(ERRORS) as ErrorCode[])('error %s has a section with its exact text', (code) => {
  expect(pages['docs/errors.md']).toContain(`\n### ${sampleError(code).text}\n`);
});

test.each(EVENT_CATEGORIES)('the guide to webhooks says which events go to the URL of %s', (category) => {
  const row = current('docs/webhooks.md').match(`\n\\| \`${URL_FIELD_OF_CATEGORY[category]}\` .*`)?.[0] ?? '';
  const named = [...row.matchAll(/`(\w+)`/g)].map(([, kind]) => kind).slice(1);
  const usual = eventKindsOf(category).filter((kind) => extensionOfKind(kind) === undefined);
  expect(named.sort()).toEqual(usual.sort());
});

test('the guide to webhooks has a row for each extension, with its events', () => {
  const guide = current('docs/webhooks.md');
  for (const name of EXTENSION_NAMES) expect(guide).toMatch(new RegExp(`\\n\\| \`${name}\` +\\|`));
  for (const kind of EVENT_KINDS) {
    const extension = extensionOfKind(kind);
    if (extension) expect(guide).toMatch(new RegExp(`\\n\\| \`${extension}\` +\\| \`${kind}\` `));
  }
});
