import {
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  generateRegistrationNode,
  getBinaryNodeChild,
  initAuthCreds,
  type proto,
} from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, cleo, refusal } from '../world/fixture.ts';
import {
  closing,
  connectionReplaced,
  event,
  loggedOut,
  memoryAuth,
  restartRequired,
  startTestNetwork,
  type TestNetwork,
} from './fixture.ts';
import { connectRaw } from './transport/fixture.ts';

let network: TestNetwork;

beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.stop());

/** A client that shows its first QR. */
async function waitingClient() {
  const auth = memoryAuth();
  const sock = network.connect(auth);
  const { qr = '' } = await event(sock, 'connection.update', (update) => update.qr !== undefined);
  return { auth, sock, qr };
}

const codeOf = (error: unknown) => (error as { code?: string }).code;

describe('linking by QR', () => {
  it('ends with a restart, after which the client logs in as the device that the world has', async () => {
    const { auth, sock, qr } = await waitingClient();
    const closed = closing(sock);
    const device = await network.wire.pairing.scan(ada, qr);
    expect(await closed).toBe(restartRequired);
    expect(auth.creds.me?.id).toBe(device.sessionId);
    const again = await network.reconnect({ sock, auth, sessionId: device.sessionId });
    expect(again.sock.user?.id).toBe(device.sessionId);
    expect(network.world.devices.get(device.sessionId)?.attached).toBe(true);
  });

  it('distinguishes an expired QR from an unknown one', async () => {
    const { sock, qr } = await waitingClient();
    network.world.clock.advance(60_001);
    await expect(network.wire.pairing.scan(ada, qr)).rejects.toSatisfy((e) => codeOf(e) === 'gone');
    await sock.end(undefined);
    const unknown = qr.replace(/#[^,]+/, '#2@never-shown');
    await expect(network.wire.pairing.scan(ada, unknown)).rejects.toSatisfy((e) => codeOf(e) === 'not_found');
    await expect(network.wire.pairing.scan(ada, 'hello')).rejects.toSatisfy(
      (e) => codeOf(e) === 'bad_request',
    );
  });

  it('links no device when the client disconnects before its confirmation', async () => {
    const { sock, qr } = await waitingClient();
    const before = network.world.devices.of(ben).length;
    sock.ws.removeAllListeners('CB:iq,,pair-success');
    const refused = expect(network.wire.pairing.scan(ben, qr)).rejects.toSatisfy((e) => codeOf(e) === 'gone');
    await sock.end(undefined);
    await refused;
    expect(network.world.devices.of(ben)).toHaveLength(before);
  });
});

describe('a registration', () => {
  const withPairingData =
    (data: proto.ClientPayload.IDevicePairingRegistrationData) => (payload: proto.IClientPayload) => ({
      ...payload,
      devicePairingData: { ...payload.devicePairingData, ...data },
    });

  it.each([
    ['whole', {}, 'iq'],
    ['without a user agent', { userAgent: null }, 'failure'],
    [
      'of a phone',
      { userAgent: { platform: 0, device: 'Pixel', osVersion: '16', mcc: '000', mnc: '000' } },
      'failure',
    ],
    ['without web info', { webInfo: null }, 'failure'],
    ['with the hash of another version', withPairingData({ buildHash: Buffer.alloc(16) }), 'failure'],
    ['without properties', withPairingData({ deviceProps: Buffer.of() }), 'failure'],
  ] as const)('%s is answered with the tag of its outcome', async (_, change, outcome) => {
    const creds = initAuthCreds();
    const whole = generateRegistrationNode(creds, DEFAULT_CONNECTION_CONFIG);
    const payload = typeof change === 'function' ? change(whole) : { ...whole, ...change };
    const client = connectRaw(network.wire.url, { creds, payload });
    const first = await client.receives(() => true);
    client.hangUp();
    expect(first.tag).toBe(outcome);
  });
});

describe('linking by code', () => {
  it('links the number whose owner types the code that the client shows', async () => {
    const { auth, sock } = await waitingClient();
    const code = await sock.requestPairingCode(ben);
    const closed = closing(sock);
    const device = await network.wire.pairing.enterCode(ben, `${code.slice(0, 4)}-${code.slice(4)}`);
    expect(await closed).toBe(restartRequired);
    const again = await network.reconnect({ sock, auth, sessionId: device.sessionId });
    expect(again.sock.user?.id).toBe(device.sessionId);
  });

  it('distinguishes a wrong code from an unknown one, and lets the owner try again', async () => {
    const { sock } = await waitingClient();
    const noClientWaits = expect(network.wire.pairing.enterCode(ada, 'AAAA1111')).rejects.toSatisfy(
      (e) => codeOf(e) === 'not_found',
    );
    network.world.clock.advance(1_000);
    await noClientWaits;
    const code = await sock.requestPairingCode(ben);
    await expect(network.wire.pairing.enterCode(ben, 'AAAA1111')).rejects.toSatisfy(
      (e) => codeOf(e) === 'forbidden',
    );
    expect((await network.wire.pairing.enterCode(ben, code)).phone).toBe(ben);
  });
});

describe('a request for a code', () => {
  const hello = (phone: string, display: string, bytes = 80): BinaryNode => ({
    tag: 'iq',
    attrs: { to: '@s.whatsapp.net', type: 'set', xmlns: 'md' },
    content: [
      {
        tag: 'link_code_companion_reg',
        attrs: { jid: `${phone}@s.whatsapp.net`, stage: 'companion_hello' },
        content: [
          {
            tag: 'link_code_pairing_wrapped_companion_ephemeral_pub',
            attrs: {},
            content: Buffer.alloc(bytes, 1),
          },
          { tag: 'companion_platform_display', attrs: {}, content: display },
        ],
      },
    ],
  });

  it('is answered with a ref, for known browser and system names', async () => {
    const { sock } = await waitingClient();
    for (const display of ['Chrome (Mac OS)', 'Firefox (Ubuntu)', 'Edge (Windows)', 'Safari (macOS)']) {
      const answer = await sock.query(hello(ada, display));
      const ref = getBinaryNodeChild(
        getBinaryNodeChild(answer, 'link_code_companion_reg'),
        'link_code_pairing_ref',
      );
      expect(ref?.content).toHaveLength(16);
    }
  });

  it.each(['Chrome (Parley)', 'Parley (Linux)', 'Chrome', 'Chrome (Linux) x', ''])(
    'is refused under the name %j',
    async (display) => {
      const { sock } = await waitingClient();
      await expect(sock.query(hello(ben, display))).rejects.toMatchObject({ data: 400 });
      const typed = expect(network.wire.pairing.enterCode(ben, 'AAAA1111')).rejects.toSatisfy(
        (e) => codeOf(e) === 'not_found',
      );
      network.world.clock.advance(1_000);
      await typed;
    },
  );

  it('is refused without the keys of the code', async () => {
    const { sock } = await waitingClient();
    await expect(sock.query(hello(ben, 'Chrome (Linux)', 10))).rejects.toMatchObject({ data: 400 });
    await expect(sock.query(hello('ben', 'Chrome (Linux)'))).rejects.toMatchObject({ data: 400 });
  });

  it('is refused when a number has too many of them, until some time has passed', async () => {
    const { sock } = await waitingClient();
    const ask = () => sock.query(hello(cleo, 'Chrome (Linux)'));
    for (let turn = 0; turn < 10; turn += 1) await ask();
    await expect(ask()).rejects.toMatchObject({ data: 429, message: 'rate-overlimit' });
    await sock.query(hello(ada, 'Chrome (Linux)'));
    network.world.clock.advance(10 * 60_000);
    await ask();
  });
});

describe('a linked device', () => {
  it('is replaced when it logs in a second time', async () => {
    const first = await network.link(ada);
    const closed = closing(first.sock);
    await network.reconnect(first);
    expect(await closed).toBe(connectionReplaced);
  });

  it('is logged out when the phone unlinks it, and cannot log in again', async () => {
    const client = await network.link(ada);
    const closed = closing(client.sock);
    network.world.devices.unlink(client.sessionId);
    expect(await closed).toBe(loggedOut);
    expect(await closing(network.connect(client.auth))).toBe(loggedOut);
  });

  it('can unlink itself', async () => {
    const client = await network.link(ada);
    await client.sock.logout();
    await expect.poll(() => network.world.devices.get(client.sessionId)).toBeUndefined();
    expect(refusal(() => network.world.devices.unlink(client.sessionId))).toBe('not_found');
  });

  it('is refused with the keys of another device', async () => {
    const mine = await network.link(ada);
    const other = await network.link(ben);
    mine.auth.creds.me = other.auth.creds.me;
    expect(await closing(network.connect(mine.auth))).toBe(loggedOut);
  });
});
