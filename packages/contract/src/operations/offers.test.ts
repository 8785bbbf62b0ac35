import { expect, test } from 'vitest';
import { isInSdk, type Operation, operations, sdkCallOf } from './index.ts';

const all = Object.values<Operation>(operations);

test('names a method of the SDK after the operation without its noun, unless the record says another', () => {
  expect(sdkCallOf({ id: 'changeGroupSettings', surface: 'v1', sdk: 'groups' })).toEqual({
    client: 'parley',
    noun: 'groups',
    method: 'changeSettings',
  });
  expect(sdkCallOf({ id: 'listApiKeys', surface: 'operator', sdk: 'apiKeys' })).toEqual({
    client: 'operator',
    noun: 'apiKeys',
    method: 'list',
  });
  expect(sdkCallOf({ id: 'getMedia', surface: 'v1', sdk: 'media.download' }).method).toBe('download');
});

test('gives each operation of a key or an operator a call of its own in the SDK', () => {
  const calls = all.filter(isInSdk).map((operation) => Object.values(sdkCallOf(operation)).join('.'));
  expect(new Set(calls).size).toBe(calls.length);
  expect(calls).toHaveLength(all.filter(({ surface }) => surface === 'v1' || surface === 'operator').length);
  for (const call of calls) expect(call).toMatch(/^(?:parley|operator)\.[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z]*$/);
});

test('keeps no rule that repeats a default', () => {
  const repeated = all.filter(isInSdk).filter((operation) => {
    const [noun = '', method] = operation.sdk.split('.');
    return method !== undefined && method === sdkCallOf({ ...operation, sdk: noun }).method;
  });
  expect(repeated.map(({ id }) => id)).toEqual([]);
  const deletes = all.filter(({ method, mcp }) => method === 'DELETE' && mcp?.tool && mcp.destructive);
  expect(deletes.map(({ id }) => id)).toEqual([]);
});
