import { expect, it } from 'vitest';
import { leastCpuMs, leastGrowth } from '#testing/cpu';
import { isNestedTooDeeply, MAX_DEPTH } from './json.ts';

const nested = (levels: number, content = '1') =>
  '{"a":['.repeat(levels / 2) + content + ']}'.repeat(levels / 2);

it.each([
  ['the deepest that is taken', nested(MAX_DEPTH), false],
  ['one level more', `[${nested(MAX_DEPTH)}]`, true],
  ['no end', '['.repeat(MAX_DEPTH + 1), true],
  ['many lists beside each other', `[${'[],'.repeat(1_000)}[]]`, false],
  ['brackets in text', nested(MAX_DEPTH, JSON.stringify('[{'.repeat(1_000))), false],
  ['brackets behind an escaped quote', JSON.stringify(`"${'['.repeat(1_000)}`), false],
  ['brackets behind an escaped backslash', `["\\\\",${'['.repeat(MAX_DEPTH)}`, true],
  ['text without an end', `"${'['.repeat(1_000)}`, false],
])('judges the depth of JSON with %s', (_what, json, isTooDeep) => {
  expect(isNestedTooDeeply(json)).toBe(isTooDeep);
});

it.each(['[],', '"', '\\', '"\\"'])('takes linear time for many of %s', async (unit) => {
  const limit = 40;
  const growth = await leastGrowth({ short: 2e4, long: 2e5, limit }, (length) =>
    isNestedTooDeeply(`["${unit.repeat(length)}`),
  );
  expect(growth).toBeLessThan(limit);
});

it('refuses deep JSON at a fraction of what its parser takes', async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const limitMs = 5;
  expect(await leastCpuMs(limitMs, () => isNestedTooDeeply(deep))).toBeLessThan(limitMs);
});
