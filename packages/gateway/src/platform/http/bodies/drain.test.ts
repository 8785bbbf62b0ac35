import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OUTBOUND_MEDIA_MAX_BYTES, REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import { drainBody, sendRefusal } from './drain.ts';

const MIB = 1024 * 1024;

describe('a refused body', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  beforeAll(async () => {
    gateway = await startGateway({
      environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'evolution' },
    });
    ada = await moveIn(gateway);
    await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => gateway.close());

  /** Like clients that write the whole request before they read anything of the response. */
  async function writeThenRead(path: string, headers: readonly string[], body: Buffer): Promise<string> {
    const { port } = gateway.app.http.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' }).pause();
    const head = [`POST ${path} HTTP/1.1`, 'Host: parley', `Content-Length: ${body.length}`, ...headers];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(body, () => resolve());
    });
    socket.end();
    return text(socket);
  }

  const json = 'Content-Type: application/json';
  const form = 'Content-Type: multipart/form-data; boundary=b';
  const file = 'Content-Type: image/png';
  const key = (): string => `Authorization: Bearer ${ada.apiKey}`;
  const apikey = (): string => `apikey: ${ada.apiKey}`;
  const aForm = (bytes: number): Buffer =>
    Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
      Buffer.alloc(bytes),
      Buffer.from('\r\n--b--\r\n'),
    ]);
  const BODIES: [string, number, string, () => string[], Buffer][] = [
    ['JSON', 413, '/v1/messages', () => [json, key()], Buffer.alloc(8 * REQUEST_BODY_MAX_BYTES, ' ')],
    ['JSON', 401, '/v1/messages', () => [json], Buffer.alloc(8 * REQUEST_BODY_MAX_BYTES, ' ')],
    ['a file', 413, '/v1/media', () => [file, key()], Buffer.alloc(OUTBOUND_MEDIA_MAX_BYTES + 8 * MIB)],
    ['a file', 401, '/v1/media', () => [file], Buffer.alloc(OUTBOUND_MEDIA_MAX_BYTES)],
    ['a form', 401, '/evolution/message/sendMedia/x', () => [form], aForm(16 * MIB)],
    ['a form', 404, '/evolution/message/sendMedia/x', () => [form, apikey()], aForm(16 * MIB)],
    ['JSON', 413, '/nowhere', () => [json], Buffer.alloc(16 * MIB, ' ')],
  ];

  it.each(BODIES)(
    'of %s is read, so that its client reads the %i: %s',
    async (_kind, status, path, headers, body) => {
      expect(await writeThenRead(path, headers(), body)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    },
  );
  it.each(BODIES)(
    'of %s on a connection that closes with it, too: %i %s',
    async (_kind, status, path, headers, body) => {
      const answer = await writeThenRead(path, [...headers(), 'Connection: close'], body);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    },
  );
});

describe('many refused bodies', () => {
  const sendOne = (raw = Object.assign(new PassThrough(), { complete: false })) => {
    const header = vi.fn();
    const send = vi.fn();
    const request = { raw, headers: { 'content-length': '9' } } as unknown as FastifyRequest;
    const reply = {
      header,
      raw: { shouldKeepAlive: true },
      getHeader: () => undefined,
    } as unknown as FastifyReply;
    sendRefusal(request, reply, send);
    expect(send).toHaveBeenCalledTimes(1);
    return { raw, isRead: header.mock.calls.length === 0 };
  };

  it('are read 64 at a time; the connections of others close with the response', async () => {
    const first = Array.from({ length: 64 }, sendOne);
    expect(first.every(({ isRead }) => isRead)).toBe(true);
    expect(sendOne().isRead).toBe(false);
    first[0]?.raw.end();
    await vi.waitFor(() => expect(first[0]?.raw.readableEnded).toBe(true));
    const next = sendOne();
    expect(next.isRead).toBe(true);
    for (const { raw } of [...first, next]) raw.destroy();
  });

  it('do not include those that were read to their end before they were refused', async () => {
    for (let each = 0; each < 64; each++) {
      const raw = Object.assign(new PassThrough({ autoDestroy: false }), { complete: false });
      raw.end();
      await text(raw);
      sendOne(raw);
    }
    const next = sendOne();
    expect(next.isRead).toBe(true);
    next.raw.destroy();
  });
});

describe('the rest of a body', () => {
  const startDrain = () => {
    const raw = Object.assign(new PassThrough(), { complete: false });
    const done = vi.fn();
    const clock = createSteppedClock();
    drainBody({ raw } as unknown as Parameters<typeof drainBody>[0], done, clock);
    return { raw, done, clock };
  };

  it('is cut off after ten seconds when it never ends', () => {
    const { raw, clock } = startDrain();
    clock.advance(9_999);
    expect(raw.destroyed).toBe(false);
    clock.advance(1);
    expect(raw.destroyed).toBe(true);
  });

  it('is read when a parser has left it paused', async () => {
    const raw = Object.assign(new PassThrough(), { complete: false }).pause();
    const { promise, resolve } = Promise.withResolvers<void>();
    drainBody({ raw } as unknown as Parameters<typeof drainBody>[0], resolve, createSteppedClock());
    raw.end(Buffer.alloc(MIB));
    await promise;
    expect(raw.readableEnded).toBe(true);
  });

  it('is read with a pause after each MiB', async () => {
    const { raw, clock } = startDrain();
    raw.write(Buffer.alloc(MIB));
    raw.end(Buffer.alloc(MIB));
    await new Promise(setImmediate);
    expect(raw.isPaused()).toBe(true);
    clock.advance(25);
    await new Promise(setImmediate);
    clock.advance(25);
    await vi.waitFor(() => expect(raw.readableEnded).toBe(true));
  });

  it('is cut off when it is larger than any body', async () => {
    const { raw, done, clock } = startDrain();
    raw.on('error', () => {});
    const piece = Buffer.alloc(MIB);
    let written = 0;
    while (!raw.destroyed && written < 200) {
      written += 1;
      await new Promise((resolve) => raw.write(piece, resolve));
      clock.advance(25);
    }
    expect(written).toBe(129);
    expect(done).toHaveBeenCalledTimes(1);
  });
});
