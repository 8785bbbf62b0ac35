import type { WASocket } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada } from '../world/fixture.ts';
import { event, memoryAuth, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;

beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.stop());

describe('the network, when it closes a connection', () => {
  /** A client that never closes the connection itself. */
  const patient = (sock: WASocket): Promise<void> => {
    sock.ws.removeAllListeners('CB:stream:error');
    sock.ws.removeAllListeners('CB:xmlstreamend');
    return new Promise((resolve) => {
      sock.ws.on('CB:stream:error', () => resolve());
    });
  };

  it('answers a client that unlinks itself before it closes the connection', async () => {
    const client = await network.link(ada);
    const answer = await client.sock.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', type: 'set', xmlns: 'md' },
      content: [
        { tag: 'remove-companion-device', attrs: { jid: client.sessionId, reason: 'user_initiated' } },
      ],
    });
    expect(answer.attrs.type).toBe('result');
    expect(network.world.devices.get(client.sessionId)).toBeUndefined();
  });

  it('ends the stream after the final stanza, and closes the socket at once', async () => {
    const sock = network.connect(memoryAuth());
    const { qr = '' } = await event(sock, 'connection.update', (update) => update.qr !== undefined);
    const closed = patient(sock);
    const ended = new Promise<void>((resolve) => {
      sock.ws.on('CB:xmlstreamend', () => resolve());
    });
    await network.wire.pairing.scan(ada, qr);
    await closed;
    await ended;
    await vi.waitFor(() => expect(sock.ws.isOpen).toBe(false));
  });
});
