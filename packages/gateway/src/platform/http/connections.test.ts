import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { operations } from '@parley/contract';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIds, createSteppedClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import { startGateway, type TestGateway } from '#testing';
import { createHttpServer, type HttpServerOptions, type Route, serve } from './index.ts';

/** Data received on a connection until the gateway closed it. */
interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

function parseRaw(text: string): RawAnswer {
  const [headers = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1]), headers, body };
}

async function readToEnd(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return parseRaw(Buffer.concat(chunks).toString());
}

const sockets: Socket[] = [];
async function open(server: FastifyInstance, { allowHalfOpen = false } = {}): Promise<Socket> {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const request = (path: string, extra = ''): string => `GET ${path} HTTP/1.1\r\nHost: parley\r\n${extra}\r\n`;

describe('a connection', () => {
  const lines: string[] = [];
  let server: FastifyInstance | undefined;
  afterEach(() => server?.close());

  /** Shortened deadlines: a test cannot wait for half a minute. */
  const soon = { headersMs: 50, requestMs: 50, checkEveryMs: 20 };
  let deadlines: HttpServerOptions['deadlines'];
  beforeEach(() => {
    deadlines = undefined;
  });

  async function listen(...routes: Route[]): Promise<FastifyInstance> {
    lines.length = 0;
    server = createHttpServer({
      routes,
      gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
      operatorToken: undefined,
      ids: createIds({ clock: createSteppedClock(), random: systemRandom }),
      log: createLog('warn', { write: (line: string) => void lines.push(line) }),
      ...(deadlines && { deadlines }),
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    return server;
  }
  const healthy = serve(operations.getHealth, async () => ({ status: 'ok' as const }));
  const terms: Route = {
    operation: { ...operations.publishTerms, surface: 'public', sdk: undefined, path: '/terms' },
    handle: async () => ({}),
  };

  it('with oversized headers gets 431', async () => {
    const socket = await open(await listen(healthy));
    socket.write(request('/healthz', `X-Big: ${'x'.repeat(20_000)}\r\n`));
    const answer = await readToEnd(socket);
    expect([answer.status, answer.body]).toEqual([431, '{"error":"request headers are too large"}']);
  });

  it('with a HEAD request gets headers, and no body', async () => {
    const socket = await open(await listen(healthy));
    socket.write('HEAD /healthz HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n\r\n');
    const answer = await readToEnd(socket);
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(answer.headers).toMatch(/^content-length: 15$/im);
  });

  it.each([
    ['another language', 'Hello, is anyone there?\r\n\r\n'],
    ['a broken header', 'GET /healthz HTTP/1.1\r\nHost: parley\r\nBroken\r\n\r\n'],
    [
      'two lengths',
      'POST /healthz HTTP/1.1\r\nHost: parley\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'a length and chunks, as smugglers use',
      'POST /healthz HTTP/1.1\r\nHost: parley\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('that speaks %s gets 400 and is closed', async (_what, text) => {
    const socket = await open(await listen(healthy));
    socket.write(text);
    const answer = await readToEnd(socket);
    expect([answer.status, answer.body]).toEqual([400, '{"error":"not an HTTP request"}']);
    expect(answer.headers).toMatch(/^X-Request-Id: req_\w+$/m);
    expect(answer.headers).toMatch(/^X-Error-Code: not_http$/m);
  });

  it('with an incomplete request is closed after 15 seconds, or 35 after complete headers', async () => {
    const { server: listening } = await listen(healthy);
    expect(listening).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
    });
  });

  it('with a file upload in progress is not cut, however long it takes', async () => {
    deadlines = soon;
    let length = 0;
    const pieces = Promise.withResolvers<void>();
    const file: Route = {
      operation: {
        ...operations.uploadMedia,
        surface: 'public',
        sdk: undefined,
        mcp: undefined,
        path: '/file',
        answers: { 204: null },
      },
      handle: async ({ body }) => {
        for await (const piece of body as Readable) {
          length += piece.length;
          pieces.resolve();
        }
      },
    };
    const listening = await listen(file);
    const overdue = once(listening.server, 'clientError');
    const socket = await open(listening);
    const answer = readToEnd(socket);
    socket.write(
      'POST /file HTTP/1.1\r\nHost: parley\r\nConnection: close\r\nContent-Type: image/png\r\nContent-Length: 10\r\n\r\nfirst',
    );
    await pieces.promise;
    expect(await overdue).toMatchObject([{ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, expect.anything()]);
    socket.write('later');
    expect([(await answer).status, length]).toEqual([204, 10]);
  });

  it.each(['Host: parley\r\nHost: evil', 'Host: parley\r\nhOST: parley'])(
    'that names two hosts (%j) gets 400',
    async (hosts) => {
      const socket = await open(await listen(healthy));
      socket.write(`GET /healthz HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
      const answer = await readToEnd(socket);
      expect([answer.status, answer.body]).toEqual([400, '{"error":"header Host must be given once"}']);
    },
  );

  it('that takes too long to send its request gets 408', async () => {
    deadlines = soon;
    const listening = await listen(healthy);
    const socket = await open(listening);
    socket.write('GET /healthz HTTP/1.1\r\nHost: par');
    const answer = await readToEnd(socket);
    expect([answer.status, answer.body]).toEqual([408, '{"error":"request took too long to arrive"}']);
  });

  it.each([
    ['/terms', 408],
    ['/healthz', 405],
  ])('that takes too long to send its body to %s is closed with %i', async (path, status) => {
    deadlines = soon;
    const listening = await listen(healthy, terms);
    const socket = await open(listening);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expect((await readToEnd(socket)).status).toBe(status);
  });

  it.each([
    ['the head', 'GET /healthz HTTP/1.1\r\nHost: par'],
    [
      'the body',
      'POST /terms HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('with half a request, %s, is taken away from a caller who never closes it', async (_part, half) => {
    deadlines = soon;
    const listening = await listen(healthy, terms);
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () => open(listening, { allowHalfOpen: true })),
    );
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.on('error', () => {}).write(half);
    for (const [chunk] of await Promise.all(answers)) expect(parseRaw(String(chunk)).status).toBe(408);
    await vi.waitFor(async () => expect(await connections(listening)).toBe(0), {
      timeout: 10_000,
      interval: 50,
    });
  });

  it('is kept open longer than load balancers do', async () => {
    expect((await listen(healthy)).server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('serves one request after the other', async () => {
    const socket = await open(await listen(healthy));
    for (let time = 0; time < 3; time++) {
      socket.write(request('/healthz'));
      const [chunk] = await once(socket, 'data');
      expect(parseRaw(String(chunk))).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    }
  });

  it('that breaks while its body arrives is no failure of the gateway', async () => {
    const listening = await listen(terms);
    const socket = await open(listening);
    socket.write(
      'POST /terms HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half',
    );
    await vi.waitFor(async () => expect(await connections(listening)).toBe(1));
    socket.destroy();
    await vi.waitFor(async () => expect(await connections(listening)).toBe(0));
    expect(lines).toEqual([]);
  });

  it('that breaks before the response is ready aborts the handler', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const listening = await listen(
      serve(operations.getHealth, async ({ signal }) => {
        begun.resolve(signal);
        if (!signal.aborted) await once(signal, 'abort');
        return { status: 'ok' as const };
      }),
    );
    const socket = await open(listening);
    socket.write(request('/healthz'));
    const signal = await begun.promise;
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await vi.waitFor(() => expect(signal.aborted).toBe(true));
    expect(lines).toEqual([]);
  });
});

function connections(server: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe('a gateway that closes', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.close());

  /** A gateway on a port, whose readiness check waits for a signal of the test. */
  async function listening(machineClock = createSteppedClock()) {
    gateway = await startGateway({ machineClock });
    const slow = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const { store, http } = gateway.app;
    const check = store.check.bind(store);
    Object.assign(store, {
      check: async () => {
        entered.resolve();
        await slow.promise;
        await check();
      },
    });
    await http.listen({ host: '127.0.0.1', port: 0 });
    return { http, entered: entered.promise, finish: slow.resolve };
  }

  it('finishes the request in progress, refuses new ones, and can be closed twice', async () => {
    const { http, entered, finish } = await listening();
    const address = http.server.address() as AddressInfo;
    const busy = await open(http);
    const answer = readToEnd(busy);
    busy.write(request('/readyz'));
    await entered;

    const closing = gateway.app.close();
    const again = gateway.app.close();
    await vi.waitFor(() => expect(http.server.listening).toBe(false));
    const late = connect(address.port, '127.0.0.1');
    const [refusal] = await once(late, 'error');
    expect(refusal.code).toBe('ECONNREFUSED');

    finish();
    expect(await answer).toMatchObject({ status: 200, body: '{"status":"ready"}' });
    await Promise.all([closing, again]);
    await gateway.app.close();
  });

  it('asks a request whose last part comes too late to retry, in its own error format', async () => {
    const { http } = await listening();
    const late = await open(http);
    const answer = readToEnd(late);
    late.write('GET /healthz HTTP/1.1\r\nHost: par');
    await vi.waitFor(async () => expect(await connections(http)).toBe(1));
    const closing = gateway.app.close();
    await vi.waitFor(() => expect(http.server.listening).toBe(false));
    late.write('ley\r\n\r\n');
    const { status, headers, body } = await answer;
    expect([status, body]).toEqual([503, '{"error":"gateway is shutting down; retry shortly"}']);
    expect(headers.toLowerCase()).toMatch(/retry-after: 1\r\n/);
    expect(headers.toLowerCase()).toContain('connection: close');
    await closing;
  });

  it('does not wait for idle connections', async () => {
    const { http } = await listening();
    const idle = await open(http);
    idle.write(request('/healthz'));
    await once(idle, 'data');
    const closing = gateway.app.close();
    await vi.waitFor(() => expect(idle.closed).toBe(true));
    await closing;
    expect(http.server.listening).toBe(false);
  });

  it('does not wait indefinitely for an incomplete request', async () => {
    const machineClock = createSteppedClock();
    const { http } = await listening(machineClock);
    const half = await open(http);
    half.write('GET /healthz HTTP/1.1\r\nHost: par');
    await vi.waitFor(async () => expect(await connections(http)).toBe(1));
    const closing = gateway.app.close();
    await vi.waitFor(() => expect(http.server.listening).toBe(false));
    machineClock.advance(9_999);
    expect(await connections(http)).toBe(1);
    machineClock.advance(1);
    await vi.waitFor(() => expect(half.closed).toBe(true));
    await closing;
  });
});
