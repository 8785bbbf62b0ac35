import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createParley, type ParleyOptions } from './client.ts';
import type { ParleyError } from './errors.ts';
import { systemPlatform } from './platform.ts';

/** What the gateway does with each connection, in turn. */
let plays: ((response: ServerResponse) => void)[] = [];
let seen: IncomingMessage[] = [];
const server = createServer((request, response) => {
  seen.push(request);
  plays[Math.min(seen.length, plays.length) - 1]?.(response);
});

let url = '';
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
});

/** Waits only where silence is awaited. */
const impatient = {
  ...systemPlatform,
  sleep: async (ms: number, signal?: AbortSignal) => systemPlatform.sleep(ms > 40_000 ? 60 : 1, signal),
};
const stream = (options: Partial<ParleyOptions> = {}) =>
  createParley({ url, apiKey: 'pk_1_secret', ...options }, impatient).events.stream;

const greet = (response: ServerResponse, cursor: string) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`id: ${cursor}\nretry: 2000\n\n`);
};
const tell = (response: ServerResponse, cursor: string, text: string) =>
  response.write(`id: ${cursor}\nevent: message\ndata: ${JSON.stringify({ kind: 'message', text })}\n\n`);

async function take(count: number, events: AsyncIterable<{ cursor: string; event: { kind: string } }>) {
  const taken = [];
  for await (const { cursor, event } of events) if (taken.push({ cursor, ...event }) === count) break;
  return taken;
}

test('goes on behind the last event when the connection breaks, and says that it does', async () => {
  plays = [
    (response) => {
      greet(response, 'c0');
      tell(response, 'c1', 'one');
      setTimeout(() => response.destroy(), 20);
    },
    (response) => response.writeHead(502).end(),
    (response) => {
      greet(response, 'c1');
      tell(response, 'c2', 'two');
      response.end();
    },
    (response) => {
      greet(response, 'c2');
      tell(response, 'c3', 'three');
    },
  ];
  const causes: ParleyError[] = [];
  const onReconnect = (cause: ParleyError) => void causes.push(cause);
  let opened = 0;
  const onOpen = () => {
    opened += 1;
  };
  const taken = await take(3, stream()({ kind: 'message', onOpen, onReconnect }));
  expect(opened).toBe(3);
  expect(taken).toMatchObject([{ cursor: 'c1' }, { cursor: 'c2' }, { cursor: 'c3' }]);
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'c1', 'c1', 'c2']);
  expect(seen.map((request) => request.url)).toEqual(Array(4).fill('/v1/events?kind=message'));
  expect(causes.map(({ status }) => status)).toEqual([0, 502, 0]);
});

test('misses nothing even when it breaks before the first event: the greeting says where it began', async () => {
  plays = [
    (response) => {
      greet(response, 'c7');
      setTimeout(() => response.destroy(), 20);
    },
    (response) => {
      greet(response, 'c7');
      tell(response, 'c8', 'missed');
    },
  ];
  await take(1, stream()());
  expect(seen[1]?.headers['last-event-id']).toBe('c7');
});

test('takes silence for a lost connection', async () => {
  plays = [
    (response) => greet(response, 'c0'),
    (response) => {
      greet(response, 'c0');
      tell(response, 'c1', 'again');
    },
  ];
  expect(await take(1, stream()())).toMatchObject([{ text: 'again' }]);
});

test('takes a heartbeat for a sign of life', async () => {
  plays = [
    (response) => {
      greet(response, 'c0');
      let beats = 0;
      const heart = setInterval(() => {
        response.write(': still here\n\n');
        beats += 1;
        if (beats < 15) return;
        clearInterval(heart);
        tell(response, 'c1', 'after a long while');
      }, 10);
    },
  ];
  await take(1, stream()());
  expect(seen).toHaveLength(1);
});

test('ends when the reader leaves, and the connection with it', async () => {
  const gone = Promise.withResolvers<void>();
  plays = [
    (response) => {
      response.on('close', () => gone.resolve());
      greet(response, 'c0');
      tell(response, 'c1', 'one');
    },
  ];
  await take(1, stream()());
  await gone.promise;
});

test('ends when its signal is aborted', async () => {
  plays = [(response) => greet(response, 'c0')];
  const leave = new AbortController();
  setTimeout(() => leave.abort(), 20);
  expect(await take(1, stream()({ signal: leave.signal }))).toEqual([]);
});

test('ends with an error that would come again', async () => {
  plays = [(response) => response.writeHead(401).end('{"error":"api key missing or invalid"}')];
  await expect(take(1, stream()())).rejects.toMatchObject({ code: 'api_key_invalid' });
  expect(seen).toHaveLength(1);
});
