import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, createSteppedClock, createSystemClock } from '#kernel';
import { createEgress, type Egress } from './egress.ts';

let folder: string;
let servers: Server[];
let egress: Egress;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-egress-'));
  servers = [];
  egress = createEgress({ clock: createSystemClock(), publicOnly: false });
});
afterEach(async () => {
  await egress.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/** A clock that stands still, and the number of its pending timers. */
function createCountingClock(): { clock: Clock; waiting(): number } {
  const clock = createSteppedClock();
  const waiting = new Set<symbol>();
  return {
    waiting: () => waiting.size,
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: (ms, signal) => clock.sleep(ms, signal),
      after(ms, action) {
        const timer = Symbol('timer');
        waiting.add(timer);
        const { cancel } = clock.after(ms, () => {
          waiting.delete(timer);
          action();
        });
        return {
          cancel() {
            waiting.delete(timer);
            cancel();
          },
        };
      },
    },
  };
}

const post = { headers: { 'content-type': 'application/json' }, body: '{"a":"é"}', timeoutMs: 5_000 };

describe('posting', () => {
  test('carries the body and headers unchanged, and returns the status', async () => {
    let seen: { body: string; type: string | undefined; cookie: string | undefined } | undefined;
    const url = await serve(async (request, response) => {
      const { 'content-type': type, cookie } = request.headers;
      seen = { body: await bodyOf(request), type, cookie };
      response.writeHead(418, { 'set-cookie': 'a=b' }).end('teapot');
    });
    expect(await egress.post(url, post)).toEqual({ status: 418 });
    await egress.post(url, post);
    expect(seen).toEqual({ body: '{"a":"é"}', type: 'application/json', cookie: undefined });
  });

  test.each([301, 302, 303, 307, 308])(
    'does not follow a redirect (%i), and returns it as a response',
    async (status) => {
      let followed = 0;
      const target = await serve((_request, response) => {
        followed++;
        response.end();
      });
      const url = await serve((_request, response) => {
        response.writeHead(status, { location: target }).end();
      });
      expect(await egress.post(url, post)).toEqual({ status });
      expect(followed).toBe(0);
    },
  );

  test('reuses connections', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    for (let round = 0; round < 20; round++) await egress.post(url, post);
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  test('cuts off an endless response, and counts it by its status', async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const flood = (): void => {
        while (response.writable && response.write(Buffer.alloc(4_096))) sent += 4_096;
      };
      response.on('drain', flood).on('error', () => {});
      flood();
    });
    expect(await egress.post(url, post)).toEqual({ status: 200 });
    expect(sent).toBeLessThan(8 * 1024 * 1024);
  });

  test.each([
    ['says nothing', (() => {}) as RequestListener],
    [
      'drips one byte after the other',
      ((_request, response) => {
        response.write('x');
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drip));
      }) as RequestListener,
    ],
  ])('a receiver that %s is given up after the time limit, whatever it does', async (_what, handle) => {
    const clock = createSteppedClock();
    const patient = createEgress({ clock, publicOnly: false });
    const arrived = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      handle(request, response);
      arrived.resolve();
    });
    const outcome = patient.post(url, { ...post, timeoutMs: 10_000 }).catch((error) => error);
    await arrived.promise;
    clock.advance(9_999);
    clock.advance(1);
    expect(await outcome).toMatchObject({ code: 'timeout' });
    await patient.close();
  });

  test('distinguishes a missing host, one that closes the connection and one that does not speak HTTP from a response', async () => {
    const gone = await serve(() => {});
    const [server] = servers;
    await new Promise((done) => server?.close(done));
    await expect(egress.post(gone, post)).rejects.toMatchObject({ code: 'unreachable' });

    const rude = await serve((request) => request.socket.destroy());
    await expect(egress.post(rude, post)).rejects.toMatchObject({ code: 'broken_answer' });

    const foreign = await serve((request) => request.socket.end('SSH-2.0-OpenSSH\r\n'));
    await expect(egress.post(foreign, post)).rejects.toMatchObject({ code: 'broken_answer' });
  });

  test.each<[string, RequestListener, number | string]>([
    ['answered', (_request, response) => response.end('ok'), 200],
    ['answered at too great a length', (_request, response) => response.end(Buffer.alloc(100_000)), 200],
    ['broken off', (request) => request.socket.destroy(), 'broken_answer'],
  ])('no timer waits for a post that was %s', async (_how, handle, becomes) => {
    const { clock, waiting } = createCountingClock();
    const counted = createEgress({ clock, publicOnly: false });
    const outcome = counted.post(await serve(handle), post);
    expect(waiting()).toBe(1);
    expect(
      await outcome.then(
        ({ status }) => status,
        ({ code }) => code,
      ),
    ).toBe(becomes);
    await counted.close();
    expect(waiting()).toBe(0);
  });

  test('can be aborted by the caller', async () => {
    const url = await serve(() => {});
    const stop = new AbortController();
    const outcome = egress.post(url, { ...post, signal: stop.signal });
    stop.abort();
    await expect(outcome).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('never sends a request that was aborted before it left', async () => {
    let arrived = 0;
    const url = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    const stop = new AbortController();
    const early = egress.post(url, { ...post, signal: stop.signal });
    stop.abort();
    await expect(early).rejects.toMatchObject({ code: 'cancelled' });
    const never = egress.post(url, { ...post, signal: AbortSignal.abort() });
    await expect(never).rejects.toMatchObject({ code: 'cancelled' });
    expect(await egress.post(url, post)).toEqual({ status: 200 });
    expect(arrived).toBe(1);
  });
});

describe('downloading', () => {
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100_000, 7)]);

  function download(url: string, limits: { maxBytes?: number; timeoutMs?: number } = {}) {
    const toFile = join(folder, 'file');
    return egress.download(url, { toFile, maxBytes: 1_000_000, timeoutMs: 5_000, ...limits });
  }

  test('writes the file and returns its type, size and name', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=x' }).end(jpeg);
    });
    expect(await download(`${url}/some/na%C3%AFve%20cat.jpg?size=large`)).toEqual({
      family: 'image',
      mimetype: 'image/jpeg',
      extension: 'jpg',
      size: jpeg.length,
      fileName: 'naïve cat.jpg',
      declaredType: 'text/html',
    });
    expect(readFileSync(join(folder, 'file'))).toEqual(jpeg);
  });

  test.each([
    [404, 'refused'],
    [403, 'refused'],
    [500, 'refused'],
    [206, 'refused'],
    [302, 'redirected'],
  ])('an answer %i is %s', async (status, code) => {
    const url = await serve((_request, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('x');
    });
    await expect(download(url)).rejects.toMatchObject({ code });
    expect(existsSync(join(folder, 'file'))).toBe(false);
  });

  test('does not begin a file whose declared size is too large', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000001' }).write('x');
    });
    await expect(download(url)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('stops a file without a declared size at the limit and removes it', async () => {
    const url = await serve((_request, response) => {
      response.write(Buffer.alloc(600_000));
      response.end(Buffer.alloc(600_000));
    });
    await expect(download(url)).rejects.toMatchObject({ code: 'too_large' });
    expect(existsSync(join(folder, 'file'))).toBe(false);
  });

  test('accepts a file of exactly the limit', async () => {
    const url = await serve((_request, response) => response.end(Buffer.alloc(1_000)));
    expect(await download(url, { maxBytes: 1_000 })).toMatchObject({ size: 1_000 });
  });

  test('stops an endless file in time and removes it', async () => {
    const url = await serve((_request, response) => {
      response.write(Buffer.alloc(10_000));
    });
    await expect(download(url, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' });
    expect(existsSync(join(folder, 'file'))).toBe(false);
  });

  test('rejects an incomplete file', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy());
    });
    await expect(download(url)).rejects.toMatchObject({ code: 'broken_answer' });
    expect(existsSync(join(folder, 'file'))).toBe(false);
  });
});
