import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createParley } from './client.ts';
import type { ParleyError } from './errors.ts';
import { type Platform, systemPlatform } from './platform.ts';
import { serve, type TestServer } from './testing/server.fixture.ts';

/** Behaviour of the gateway per connection, in turn. */
let plays: ((response: ServerResponse) => void)[] = [];
let seen: IncomingMessage[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await serve((request, response) => {
    seen.push(request);
    plays[Math.min(seen.length, plays.length) - 1]?.(response);
  });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  seen = [];
});

/** Upper bound of the client's own reconnect delay. */
const SILENCE_FROM_MS = 40_000;

const untilAborted: Platform['sleep'] = (_ms, signal) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

/** Reconnects at once. Tests set the timeout for silence. */
function stream(bearSilence = untilAborted) {
  const sleep: Platform['sleep'] = async (ms, signal) => {
    if (ms > SILENCE_FROM_MS) await bearSilence(ms, signal);
  };
  const platform = { ...systemPlatform, sleep, random: () => 0.5 };
  return createParley({ url: server.url, apiKey: 'pk_1_secret' }, platform).events.stream;
}

const greet = (response: ServerResponse, cursor: string) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`id: ${cursor}\nretry: 2000\n\n`);
};
const send = (response: ServerResponse, cursor: string, text: string) =>
  response.write(`id: ${cursor}\nevent: message\ndata: ${JSON.stringify({ kind: 'message', text })}\n\n`);

async function take(count: number, events: AsyncIterable<{ cursor: string; event: { kind: string } }>) {
  const taken = [];
  for await (const { cursor, event } of events) if (taken.push({ cursor, ...event }) === count) break;
  return taken;
}

/** Breaks the connection after the client has received its events. */
let cut = () => {};

test('resumes behind the last event when the connection breaks, and reports it', async () => {
  plays = [
    (response) => {
      greet(response, 'c0');
      send(response, 'c1', 'one');
      cut = () => response.destroy();
    },
    (response) => response.writeHead(502).end(),
    (response) => {
      greet(response, 'c1');
      send(response, 'c2', 'two');
      response.end();
    },
    (response) => {
      greet(response, 'c2');
      send(response, 'c3', 'three');
    },
  ];
  const causes: ParleyError[] = [];
  const onReconnect = (cause: ParleyError) => void causes.push(cause);
  let opened = 0;
  const onOpen = () => {
    opened += 1;
  };
  const cursors: string[] = [];
  for await (const { cursor } of stream()({ kind: 'message', onOpen, onReconnect })) {
    if (cursors.push(cursor) === 3) break;
    if (cursor === 'c1') cut();
  }
  expect(opened).toBe(3);
  expect(cursors).toEqual(['c1', 'c2', 'c3']);
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'c1', 'c1', 'c2']);
  expect(seen.map((request) => request.url)).toEqual(Array(4).fill('/v1/events?kind=message'));
  expect(causes.map(({ status }) => status)).toEqual([0, 502, 0]);
});

test('waits longer after each failure, and resets the delay after a success', async () => {
  const greeted = (response: ServerResponse) => {
    greet(response, 'c0');
    response.end();
  };
  const refused = (response: ServerResponse) => void response.writeHead(502).end();
  plays = [refused, refused, greeted, refused, greeted, (response) => send(response, 'c1', 'at last')];
  const delays: number[] = [];
  await take(1, stream()({ onReconnect: (_cause, delayMs) => void delays.push(delayMs) }));
  // A second at first, two once the gateway has requested that, minus up to a quarter of jitter.
  expect(delays).toEqual([750, 1_500, 1_500, 3_000, 1_500]);
});

test('waits half a minute at most, or as long as `Retry-After` says', async () => {
  const refused = (response: ServerResponse) => void response.writeHead(502).end();
  const busy = (response: ServerResponse) => void response.writeHead(429, { 'retry-after': '7' }).end();
  plays = [...Array(6).fill(refused), busy, (response) => send(response, 'c1', 'at last')];
  const delays: number[] = [];
  await take(1, stream()({ onReconnect: (_cause, delayMs) => void delays.push(delayMs) }));
  expect(delays).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500, 7_000]);
});

test('begins behind the given cursor, with the given number and kind', async () => {
  plays = [(response) => send(response, 'c8', 'one')];
  await take(1, stream()({ after: 'c7', session_id: '1@s', kind: 'message' }));
  expect(seen[0]?.headers['last-event-id']).toBe('c7');
  expect(seen[0]?.url).toBe('/v1/events?session_id=1%40s&kind=message');
});

test('reports a `fetch` without readable body', async () => {
  const sleep: Platform['sleep'] = async (ms, signal) => {
    if (ms > SILENCE_FROM_MS) await untilAborted(ms, signal);
  };
  const platform = { ...systemPlatform, sleep, fetch: async () => new Response(null) };
  const { events } = createParley({ url: server.url, apiKey: 'k' }, platform);
  const causes: ParleyError[] = [];
  const leave = new AbortController();
  const onReconnect = (cause: ParleyError) => {
    causes.push(cause);
    leave.abort();
  };
  await take(1, events.stream({ signal: leave.signal, onReconnect }));
  expect(causes).toMatchObject([
    { code: 'unreachable', cause: new TypeError('this fetch gives no body to read') },
  ]);
});

test('follows no redirect, which would disclose the key', async () => {
  plays = [(response) => response.writeHead(307, { location: '/elsewhere' }).end()];
  await expect(take(1, stream()())).rejects.toMatchObject({ status: 307 });
  expect(seen.map((request) => request.url)).toEqual(['/v1/events']);
});

test('misses nothing when it breaks before the first event, because the greeting has a cursor', async () => {
  plays = [
    (response) => {
      greet(response, 'c7');
      cut = () => response.destroy();
    },
    (response) => {
      greet(response, 'c7');
      send(response, 'c8', 'missed');
    },
  ];
  await take(1, stream()({ onOpen: () => cut() }));
  expect(seen[1]?.headers['last-event-id']).toBe('c7');
});

test('treats silence as a lost connection', async () => {
  plays = [
    (response) => greet(response, 'c0'),
    (response) => {
      greet(response, 'c0');
      send(response, 'c1', 'again');
    },
  ];
  let borne = 0;
  const impatient = stream(async (ms, signal) => {
    // Three heartbeats of the gateway.
    expect(ms).toBe(45_000);
    borne += 1;
    // Timers after the greeting of the first connection; the one before is for connecting.
    if (borne !== 2) await untilAborted(ms, signal);
  });
  expect(await take(1, impatient())).toMatchObject([{ text: 'again' }]);
});

test('stays connected while heartbeats arrive', async () => {
  const patience: (AbortSignal | undefined)[] = [];
  const watched = stream((ms, signal) => {
    patience.push(signal);
    return untilAborted(ms, signal);
  });
  let beat = () => {};
  plays = [
    (response) => {
      greet(response, 'c0');
      beat = () => response.write(': still here\n\n');
    },
  ];
  const leave = new AbortController();
  const opened = Promise.withResolvers<void>();
  const reading = take(1, watched({ signal: leave.signal, onOpen: opened.resolve }));
  await opened.promise;
  const before = patience.length;
  beat();
  await expect.poll(() => patience.length).toBeGreaterThan(before);
  expect(patience.map((signal) => signal?.aborted)).toEqual([
    ...Array(patience.length - 1).fill(true),
    false,
  ]);
  leave.abort();
  await reading;
});

test('ends when the reader leaves, and the connection with it', async () => {
  let isGone = false;
  plays = [
    (response) => {
      response.on('close', () => {
        isGone = true;
      });
      greet(response, 'c0');
      send(response, 'c1', 'one');
    },
  ];
  expect(await take(1, stream()())).toMatchObject([{ cursor: 'c1' }]);
  await expect.poll(() => isGone).toBe(true);
});

test('ends when its signal is aborted', async () => {
  plays = [(response) => greet(response, 'c0')];
  const leave = new AbortController();
  const reading = take(1, stream()({ signal: leave.signal, onOpen: () => leave.abort() }));
  expect(await reading).toEqual([]);
});

test('ends with an error that a retry would repeat', async () => {
  plays = [
    (response) =>
      response
        .writeHead(401, { 'x-error-code': 'api_key_invalid' })
        .end('{"error":"api key missing or invalid"}'),
  ];
  await expect(take(1, stream()())).rejects.toMatchObject({ code: 'api_key_invalid' });
  expect(seen).toHaveLength(1);
});
