import { expect, test } from 'vitest';
import { connectionOf, platformOf } from './connect.ts';
import { systemPlatform } from './platform.ts';

test('defaults to the gateway of this machine, with default timeouts and retries', () => {
  expect(connectionOf({}, 'token')).toEqual({
    url: 'http://127.0.0.1:8080',
    token: 'token',
    timeoutMs: 30_000,
    retries: 2,
    longestWaitMs: 30_000,
  });
  const options = { url: 'https://a.example', timeoutMs: 1, retries: 0, longestWaitMs: 2 };
  expect(connectionOf(options, 'token')).toEqual({ ...options, token: 'token' });
});

test.each([
  ['https://a.example/', 'https://a.example'],
  ['https://a.example/behind//', 'https://a.example/behind'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('takes %s for %s', (url, taken) => {
  expect(connectionOf({ url }, 'token').url).toBe(taken);
});

test.each(['', 'a.example', 'ftp://a.example', 'https://', 'https://a.example?x=1', 'https://a b'])(
  'refuses %j',
  (url) => {
    expect(() => connectionOf({ url }, 'token')).toThrow('url must be');
  },
);

test('uses the given `fetch`, and the platform for everything else', () => {
  const fetch = async () => new Response();
  expect(platformOf({ fetch })).toEqual({ ...systemPlatform, fetch });
  expect(platformOf({})).toBe(systemPlatform);
});
