import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { bodyLimit, operations } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Owner, signIn } from '#surfaces/portal/testing';
import { moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';

const MIB = 1024 * 1024;
/** The smallest valid setting. */
const environment = {
  PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
  PARLEY_MAX_BODIES_MB: '8',
  PARLEY_SIGN_UP: 'open',
};

describe('bodies under way', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  let owner: Owner;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    gateway = await startGateway({ environment });
    ada = await moveIn(gateway);
    owner = await signIn(gateway);
    await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await gateway.close();
  });

  const held = (): number => gateway.app.http.bodyBudget.held;

  /** Sends the head and an incomplete body. */
  async function sendHalf(
    path: string,
    headers: string,
    bytes: number,
  ): Promise<{ socket: Socket; answer: Promise<string> }> {
    const { port } = gateway.app.http.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', () => {});
    const answer = once(socket, 'data').then(String);
    await once(socket, 'connect');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: parley\r\n${headers}Content-Type: application/json\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(bytes, 0x20));
    return { socket, answer };
  }
  const asAda = (): string => `Authorization: Bearer ${ada.apiKey}\r\n`;
  const FROM_PORTAL = 'X-Parley-Portal: 1\r\nSec-Fetch-Site: same-origin\r\n';
  const SIGN_IN = operations.signIn.path;
  const halfSignIn = bodyLimit(operations.signIn) - 1;

  it('of one account take at most half of the memory; further ones are asked to retry at once', async () => {
    for (let each = 0; each < 4; each++) await sendHalf('/v1/messages', asAda(), MIB - 1);
    await vi.waitFor(() => expect(held()).toBe(4 * (MIB - 1)));
    const { answer, socket } = await sendHalf('/v1/messages', asAda(), 1_000);
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1\.1 429 /);
    expect(text).toMatch(/^retry-after: 1\r$/im);
    expect(text).toContain('{"error":"too many request bodies of yours are under way; retry shortly"}');
    // The connection continues when the rest of that body has arrived.
    socket.write('}GET /healthz HTTP/1.1\r\nHost: parley\r\n\r\n');
    expect(String(await once(socket, 'data'))).toContain('{"status":"ok"}');

    const metrics = await gateway.request({ method: 'GET', url: '/metrics' });
    expect(metrics.body).toContain(`parley_request_body_bytes ${4 * (MIB - 1)}`);
    expect(metrics.body).toContain('parley_request_bodies_refused_total{reason="share"} 1');
    expect(gateway.log()).toContain('request body refused');
  });

  it('of others are not affected by those of one account', async () => {
    for (let each = 0; each < 4; each++) await sendHalf('/v1/messages', asAda(), MIB - 1);
    await vi.waitFor(() => expect(held()).toBe(4 * (MIB - 1)));
    const renamed = await owner.browser.ask('POST', '/sign-out');
    expect(renamed.statusCode).toBe(204);
    const { answer } = await sendHalf(SIGN_IN, FROM_PORTAL, halfSignIn);
    await vi.waitFor(() => expect(held()).toBe(4 * (MIB - 1) + halfSignIn));
    sockets.at(-1)?.write(' ');
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('of clients without credentials take at most an eighth, so that authenticated requests are accepted', async () => {
    const half = MIB / 2;
    const flood = Math.ceil(half / halfSignIn) + 8;
    const answers: string[] = [];
    for (let each = 0; each < flood; each++) {
      const { answer } = await sendHalf(SIGN_IN, FROM_PORTAL, halfSignIn);
      void answer.then(
        (text) => answers.push(text),
        () => {},
      );
    }
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(0));
    expect(answers[0]).toMatch(/^HTTP\/1\.1 429 /);
    expect(held()).toBeLessThanOrEqual(half);
    const sent = await gateway.request({ method: 'POST', url: '/v1/messages', key: ada.apiKey, body: {} });
    expect(sent.statusCode).toBe(400);
    const changed = await owner.browser.ask('POST', '/password', {
      current_password: 'x',
      new_password: 'y',
    });
    expect(changed.statusCode).not.toBe(503);
    expect(changed.statusCode).not.toBe(429);
  });

  it('are held until their response has ended, and no longer', async () => {
    const { socket } = await sendHalf('/v1/messages', asAda(), 5_000);
    await vi.waitFor(() => expect(held()).toBe(5_000));
    socket.destroy();
    await vi.waitFor(() => expect(held()).toBe(0));
    await gateway.request({ method: 'POST', url: '/v1/messages', key: ada.apiKey, body: { text: 'x' } });
    await vi.waitFor(() => expect(held()).toBe(0));
  });

  it('with chunked encoding have the same limits', async () => {
    const { port } = gateway.app.http.server.address() as AddressInfo;
    const chunked = connect({ port, host: '127.0.0.1' });
    sockets.push(chunked);
    chunked.on('error', () => {});
    const refused = once(chunked, 'data').then(String);
    chunked.write(
      `POST ${SIGN_IN} HTTP/1.1\r\nHost: parley\r\n${FROM_PORTAL}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let piece = 0; piece < 6; piece++) chunked.write(`400\r\n${' '.repeat(1_024)}\r\n`);
    expect(await refused).toMatch(/^HTTP\/1\.1 413 /);
    await vi.waitFor(() => expect(held()).toBe(0));
  });

  it('to unknown paths are not held', async () => {
    const { answer } = await sendHalf('/nowhere', '', MIB);
    expect(await answer).toMatch(/^HTTP\/1\.1 4(?:04|13) /);
    expect(held()).toBe(0);
  });
});
