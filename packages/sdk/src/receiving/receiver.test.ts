import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import type { ParleyEvent } from '../generated/types.ts';
import { message, SECRET, signed } from '../testing/signed.fixture.ts';
import { createWebhookReceiver } from './receiver.ts';

const MIB = 1024 * 1024;

function listeningReceiver() {
  const received: unknown[] = [];
  const receiver = createWebhookReceiver({
    secret: SECRET,
    on: {
      message: (event, { id }) => {
        if (event.text === 'trouble') throw new Error('handler in trouble');
        received.push({ id, text: event.text });
      },
      any: (event: ParleyEvent) => void received.push(event.kind),
    },
  });
  return { receiver, received };
}

type Receiver = ReturnType<typeof listeningReceiver>['receiver'];
type Post = (delivery: ReturnType<typeof signed>) => Promise<{ status: number }>;

/** Servers with the receiver behind them. */
const servers: Record<string, (receiver: Receiver) => Promise<{ post: Post; close(): unknown }>> = {
  async fetch({ fetch }) {
    const post: Post = ({ body, headers }) =>
      fetch(new Request('http://here/hooks', { method: 'POST', body, headers })).catch(() => ({
        status: 500,
      }));
    return { post, close() {} };
  },
  async hono({ hono }) {
    const post: Post = ({ body, headers }) =>
      hono({ req: { raw: new Request('http://here/hooks', { method: 'POST', body, headers }) } }).catch(
        () => ({
          status: 500,
        }),
      );
    return { post, close() {} };
  },
  async express({ express }) {
    const server = createServer((request, response) => {
      void express(request, response, () => response.writeHead(500).end());
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return { post: postTo((server.address() as AddressInfo).port), close: () => server.close() };
  },
  async 'node:http'({ express }) {
    const server = createServer((request, response) => void express(request, response).catch(() => {}));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return { post: postTo((server.address() as AddressInfo).port), close: () => server.close() };
  },
  async fastify({ fastify }) {
    const app = Fastify();
    app.post('/other', async ({ body }) => body);
    await app.register(fastify, { path: '/hooks' });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return { post: postTo((app.server.address() as AddressInfo).port), close: () => app.close() };
  },
};

function postTo(port: number): Post {
  return ({ body, headers }) => fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', body, headers });
}

describe.each(Object.entries(servers))('through %s', (_name, serve) => {
  test('passes events to their handler, refuses forgeries, and reports failures for redelivery', async () => {
    const { receiver, received } = listeningReceiver();
    const { post, close } = await serve(receiver);
    expect((await post(signed(message))).status).toBe(204);
    expect((await post({ ...signed(message), body: '{"kind":"message"}' })).status).toBe(401);
    expect((await post(signed({ ...message, text: 'trouble' }))).status).toBe(500);
    expect((await post(signed({ kind: 'call' }))).status).toBe(204);
    expect((await post(signed({ kind: 'toString' }))).status).toBe(204);
    expect(received).toEqual([{ id: 'M1', text: 'Grüße 👋' }, 'message', 'call', 'toString']);
    await close();
  });

  test('receives an event with the largest media', async () => {
    const { receiver, received } = listeningReceiver();
    const { post, close } = await serve(receiver);
    const data = Buffer.alloc(4 * 1024 * 1024, 7).toString('base64');
    expect((await post(signed({ ...message, media: { data } }))).status).toBe(204);
    expect(received).toHaveLength(2);
    await close();
  });
});

describe('a body', () => {
  const { headers } = signed(message);
  async function* bytes(length: number) {
    for (let left = length; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB));
  }

  test.each([
    ['of 16 MiB is verified by its signature', 16 * MIB, 401],
    ['of more is refused unread', 16 * MIB + 1, 413],
  ])('%s', async (_what, length, status) => {
    const { receiver } = listeningReceiver();
    const response = { statusCode: 0, end() {} };
    await receiver.express({ headers, [Symbol.asyncIterator]: () => bytes(length) }, response);
    expect(response.statusCode).toBe(status);
    const app = Fastify();
    await app.register(receiver.fastify, { path: '/hooks' });
    const payload = Readable.from(bytes(length));
    expect(await app.inject({ method: 'POST', url: '/hooks', headers, payload })).toMatchObject({
      statusCode: status,
    });
    await app.close();
  });
});

test('reports a failed handler where no framework handles errors', async () => {
  const { body, headers } = signed({ ...message, text: 'trouble' });
  const response = { statusCode: 0, end() {} };
  const request = { headers, body, async *[Symbol.asyncIterator]() {} };
  await expect(listeningReceiver().receiver.express(request, response)).rejects.toThrow('handler in trouble');
  expect(response.statusCode).toBe(500);
});

describe('behind a body parser of Express', () => {
  const { body, headers } = signed(message);
  const request = (parsed: unknown) => ({ headers, body: parsed, async *[Symbol.asyncIterator]() {} });

  test('accepts raw bytes and text', async () => {
    for (const parsed of [Buffer.from(body), body]) {
      const response = { statusCode: 0, end() {} };
      await listeningReceiver().receiver.express(request(parsed), response);
      expect(response.statusCode).toBe(204);
    }
  });

  test('explains that a body was already parsed', async () => {
    const errors: unknown[] = [];
    const response = { statusCode: 0, end() {} };
    await listeningReceiver().receiver.express(request(JSON.parse(body)), response, (error) =>
      errors.push(error),
    );
    expect(String(errors[0])).toMatch(/put the webhook before express\.json\(\)/);
  });
});

test('leaves the parsers of all other routes of Fastify unchanged', async () => {
  const app = Fastify();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, JSON.parse(String(body))),
  );
  app.post('/other', async ({ body }) => body);
  await app.register(listeningReceiver().receiver.fastify, { path: '/hooks' });
  const answer = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } });
  expect(answer.json()).toEqual({ a: 1 });
  await app.close();
});

test('compares signatures with the given time', async () => {
  let now = 1_784_365_200_000;
  const receiver = createWebhookReceiver({ secret: SECRET, on: {}, now: () => now });
  const { body, headers } = signed(message, { at: now / 1_000 });
  expect(await receiver.receive(body, headers)).toEqual({ status: 204 });
  now += 301_000;
  expect(await receiver.receive(body, headers)).toEqual({ status: 401 });
  now -= 602_000;
  expect(await receiver.receive(body, headers)).toEqual({ status: 401 });
});
