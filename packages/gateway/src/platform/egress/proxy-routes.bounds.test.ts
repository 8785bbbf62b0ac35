import { type Dispatcher, MockAgent, request } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSteppedClock, type TravelClock } from '#kernel';
import { boundAnswers } from './proxy-routes.ts';

const ORIGIN = 'https://files.example';
let servers: MockAgent;
let clock: TravelClock;
let bounded: Dispatcher;

beforeEach(() => {
  servers = new MockAgent();
  servers.disableNetConnect();
  clock = createSteppedClock();
  bounded = servers.compose(boundAnswers({ clock, maxBytes: 10, timeoutMs: 1_000 }));
});
afterEach(() => servers.close());

async function fetchFile(origin = ORIGIN): Promise<string> {
  const { body } = await request(`${origin}/file`, { dispatcher: bounded });
  return body.text();
}

function answer(status: number, body = '', headers: Record<string, string> = {}) {
  return servers.get(ORIGIN).intercept({ path: '/file' }).reply(status, body, { headers });
}

test('passes a response within its limits through whole', async () => {
  answer(200, '0123456789');
  expect(await fetchFile()).toBe('0123456789');
});

test('cuts off a larger one, with or without a declared size', async () => {
  answer(200, '0123456789A');
  await expect(fetchFile()).rejects.toMatchObject({ code: 'too_large' });
  answer(200, '', { 'content-length': '11' });
  await expect(fetchFile()).rejects.toMatchObject({ code: 'too_large' });
});

test('follows no redirect', async () => {
  answer(302, '', { location: 'https://elsewhere.example/' });
  await expect(fetchFile()).rejects.toMatchObject({ code: 'redirected' });
});

test('refuses plain http', async () => {
  await expect(fetchFile('http://files.example')).rejects.toMatchObject({ code: 'bad_url' });
});

test('cuts off a server that never finishes, at the time limit', async () => {
  answer(200, 'late').delay(60_000);
  const fetching = fetchFile();
  const failure = expect(fetching).rejects.toMatchObject({ code: 'timeout' });
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(1_000);
  await failure;
});
