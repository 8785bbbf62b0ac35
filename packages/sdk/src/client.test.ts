import { readFileSync } from 'node:fs';
import { type Operation, operations } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import { createParley } from './client.ts';
import { createOperator } from './operator.ts';
import { json, stage } from './testing/gateway.fixture.ts';

/** Methods made of several calls, or of none. */
const HELPERS = [
  'pairing.follow',
  'messages.waitForStatus',
  'webhooks.deliveries',
  'events.history',
  'events.stream',
];

type Method = (...args: unknown[]) => Promise<unknown>;

function methodsOf(client: object): [name: string, method: Method][] {
  return Object.entries(client).flatMap(([noun, verbs]: [string, Record<string, Method>]) =>
    Object.entries(verbs).map(([verb, method]): [string, Method] => [`${noun}.${verb}`, method]),
  );
}

/** Paths with fewer parameters first: `/groups/join` is no group. */
const byParameters = Object.values<Operation>(operations).sort(
  (a, b) => a.path.split('{').length - b.path.split('{').length,
);

function operationOf(method: string, path: string): string | undefined {
  return byParameters.find(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.id;
}

describe.each([
  ['v1', createParley, { apiKey: 'pk_1_secret' }],
  ['operator', createOperator, { token: 'operator-token' }],
] as const)('%s', (surface, create, credential) => {
  test('has exactly one method per operation', async () => {
    const { platform, seen } = stage(() => json({}));
    const client = create({ url: 'http://gateway', ...credential } as never, platform);
    const methods = methodsOf(client).filter(([name]) => !HELPERS.includes(name));
    for (const [, method] of methods) await method('one', 'two', 'three');
    const called = seen.map(({ method, url }) => operationOf(method, url.pathname));
    const expected = byParameters.filter((operation) => operation.surface === surface).map(({ id }) => id);
    expect(called.sort()).toEqual(expected.sort());
  });
});

test('escapes path parameters', async () => {
  const { platform, seen } = stage(() => json({}));
  await createParley({ url: 'http://gateway/behind/', apiKey: 'k' }, platform).groups.get(
    '1:2@s',
    'a/b@g.us',
  );
  expect(seen[0]?.url.pathname).toBe('/behind/v1/sessions/1%3A2%40s/groups/a%2Fb%40g.us');
});

test.each([
  ['apiKey is required', () => createParley({ apiKey: undefined })],
  ['token is required', () => createOperator({ token: '' })],
  ['url must be', () => createParley({ apiKey: 'k', url: 'gateway.example.com' })],
])('%s', (words, create) => {
  expect(create).toThrow(words);
});

test('names every noun in its README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const nouns = Object.entries(createParley({ url: 'http://gateway.test', apiKey: 'pk_test' }))
    .filter(([, member]) => typeof member === 'object')
    .map(([name]) => name);
  expect(nouns.length).toBeGreaterThan(10);
  expect(nouns.filter((noun) => !readme.includes(`\`${noun}\``))).toEqual([]);
});
