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
import { current, generatePages } from './generate.ts';

const pages = generatePages();

test.each(Object.keys(ERRORS) as ErrorCode[])('gives error %s a section with its exact text', (code) => {
  expect(pages['docs/errors.md']).toContain(`\n### ${sampleError(code).text}\n`);
});

test.each(EVENT_CATEGORIES)('lists the events of the URL of %s in the guide to webhooks', (category) => {
  const row = current('docs/webhooks.md').match(`\n\\| \`${URL_FIELD_OF_CATEGORY[category]}\` .*`)?.[0] ?? '';
  const named = [...row.matchAll(/`(\w+)`/g)].map(([, kind]) => kind).slice(1);
  const usual = eventKindsOf(category).filter((kind) => extensionOfKind(kind) === undefined);
  expect(named.sort()).toEqual(usual.sort());
});

test('has a row for each extension and event in the guide to webhooks', () => {
  const guide = current('docs/webhooks.md');
  for (const name of EXTENSION_NAMES) expect(guide).toMatch(new RegExp(`\\n\\| \`${name}\` +\\|`));
  for (const kind of EVENT_KINDS) {
    const extension = extensionOfKind(kind);
    if (extension) expect(guide).toMatch(new RegExp(`\\n\\| \`${extension}\` +\\| \`${kind}\` `));
  }
});
