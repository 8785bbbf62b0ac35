import { getAllBinaryNodeChildren, type WASocket } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSoftAuthenticator } from '../authenticator.ts';
import { ada } from '../world/fixture.ts';
import type { FaultOrder } from '../world/index.ts';
import { type Client, closing, event, stanza, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

/** The failure that the client gets when it logs in again. */
const failureAt = (sock: WASocket): Promise<unknown> =>
  new Promise((resolve) => sock.ws.on('CB:failure', ({ attrs }) => resolve(attrs)));

const arm = (order: Pick<FaultOrder, 'kind' | 'code' | 'reasonCode' | 'expireSeconds'>) =>
  network.world.faults.arm(client.sessionId, { count: 1, ms: 0, ...order });

describe('a client that reconnects', () => {
  it.each([401, 403, 405, 406, 409, 411, 503])('can be refused with %i', async (code) => {
    arm({ kind: 'refuse_login', code });
    const sock = network.connect(client.auth);
    const refusal = failureAt(sock);
    expect(await closing(sock)).toBe(code);
    expect(await refusal).toEqual({ reason: String(code) });
  });

  it('gets the reason and the duration of its ban', async () => {
    network.world.sanctions.ban(ada, { code: 101, seconds: 3_600 });
    const sock = network.connect(client.auth);
    const refusal = failureAt(sock);
    expect(await closing(sock)).toBe(402);
    expect(await refusal).toEqual({ reason: '402', code: '101', expire: '3600' });
    network.world.sanctions.ban(ada, { code: 101, seconds: 0 });
  });

  it('can be disconnected by a stream error, and is counted each time', async () => {
    const before = network.world.devices.get(client.sessionId)?.logins ?? 0;
    arm({ kind: 'stream_error', code: 516 });
    expect(await closing(network.connect(client.auth))).toBe(516);
    client = await network.reconnect(client);
    expect(network.world.devices.get(client.sessionId)?.logins).toBe(before + 2);
  });
});

describe('a login that asks for the passkey', () => {
  it('is held without an answer to anything but a ping, and refused with 428 after ten minutes', async () => {
    const { world } = network;
    const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });
    await world.passkeys.keep(ada, browser.create(world.passkeys.creation(ada)));
    world.passkeys.arm(ada, 'passkey_at_login', 1);
    const sock = network.connect(client.auth);
    const refusal = failureAt(sock);
    const closed = closing(sock);
    const question = await stanza({ sock }, 'notification,type:passkey_prologue_request');
    const [options] = getAllBinaryNodeChildren(question);
    expect(JSON.parse(String(options?.content))).toMatchObject({ rpId: 'localhost' });
    const isAnswered = (xmlns: string, tag: string) =>
      sock
        .query(
          { tag: 'iq', attrs: { to: 's.whatsapp.net', type: 'get', xmlns }, content: [{ tag, attrs: {} }] },
          300,
        )
        .then(
          () => true,
          () => false,
        );
    expect(await isAnswered('w:p', 'ping')).toBe(true);
    expect(await isAnswered('w:g2', 'participating')).toBe(false);
    world.clock.advance(600_000);
    expect(await closed).toBe(428);
    expect(await refusal).toEqual({ reason: '428' });
    expect(world.passkeys.consumeFault(ada, 'passkey_at_login')).toBe(true);
    client = await network.reconnect(client);
  });
});

describe('a connected client', () => {
  it.each([
    [440, 'replaced'],
    [401, 'device_removed'],
    [503, undefined],
  ])('can get stream error %i', async (code, conflict) => {
    const there = await network.reconnect(client);
    const word = new Promise<unknown>((resolve) => {
      there.sock.ws.on('CB:stream:error', ({ content }) => resolve(content?.[0]?.attrs.type));
    });
    const closed = closing(there.sock);
    arm({ kind: 'stream_error', code });
    expect(await closed).toBe(code);
    expect(await word).toBe(conflict);
  });

  it('is disconnected by a lock, and gets the reason at its next login', async () => {
    const there = await network.reconnect(client);
    const closed = closing(there.sock);
    network.world.sanctions.lock(ada, true);
    expect(await closed).toBe(428);
    expect(await closing(network.connect(client.auth))).toBe(403);
    network.world.sanctions.lock(ada, false);
    const { connection } = await event(
      network.connect(client.auth),
      'connection.update',
      (update) => update.connection === 'open',
    );
    expect(connection).toBe('open');
  });
});
