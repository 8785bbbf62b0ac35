import { randomBytes } from 'node:crypto';
import { type BinaryNode, Curve, proto } from 'baileys';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ada, ben, handset, text } from '../world/fixture.ts';
import { type Client, closing, event, memoryAuth, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

/** Opens a raw socket, sends the messages and resolves when the server has closed it. */
function hungUpAfter(...messages: (Buffer | string)[]): Promise<void> {
  const socket = new WebSocket(network.wire.url);
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      for (const message of messages) socket.send(message);
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

/** The network still serves valid clients. */
async function stillWorks(): Promise<boolean> {
  const id = network.world.messages.newId();
  const arrived = event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === id);
  network.world.messages.send(handset(ben), { id, to: ada, content: text('still here') });
  return (await arrived).messages.some(({ key }) => key.id === id);
}

const intro = Buffer.from('57410603', 'hex');
const frame = (payload: Uint8Array) => {
  const length = Buffer.alloc(3);
  length.writeUIntBE(payload.length, 0, 3);
  return Buffer.concat([length, payload]);
};

describe('an unknown client', () => {
  it.each([
    ['text', ['hello']],
    ['another protocol', [Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
    ['random bytes', [randomBytes(500)]],
    ['an oversized frame', [Buffer.concat([intro, Buffer.from('ffffff', 'hex')])]],
    ['a hello of random bytes', [Buffer.concat([intro, frame(randomBytes(100))])]],
    ['a hello without a key', [Buffer.concat([intro, frame(Buffer.alloc(0))])]],
    [
      'a forged finish',
      [
        Buffer.concat([
          intro,
          frame(
            proto.HandshakeMessage.encode({
              clientHello: { ephemeral: Curve.generateKeyPair().public },
            }).finish(),
          ),
          frame(
            proto.HandshakeMessage.encode({
              clientFinish: { static: randomBytes(48), payload: randomBytes(200) },
            }).finish(),
          ),
        ]),
      ],
    ],
  ])('is hung up on after %s', async (_what, messages) => {
    await hungUpAfter(...messages);
    expect(await stillWorks()).toBe(true);
  });

  it('is disconnected when it does not continue the handshake', async () => {
    let open = true;
    void hungUpAfter(intro.subarray(0, 2)).then(() => {
      open = false;
    });
    await vi.waitFor(() => {
      network.world.clock.advance(20_001);
      expect(open).toBe(false);
    });
    expect(await stillWorks()).toBe(true);
  });

  it('is disconnected after garbage in place of a stanza', async () => {
    const sock = network.connect(memoryAuth());
    await event(sock, 'connection.update', ({ qr }) => qr !== undefined);
    const closed = closing(sock);
    await sock.sendRawMessage(randomBytes(64));
    await closed;
    expect(await stillWorks()).toBe(true);
  });
});

describe('a linked client with invalid input', () => {
  const say = (stanza: BinaryNode) => client.sock.sendNode(stanza);

  it('gets an error for an unknown query', async () => {
    const ask = (attrs: Record<string, string>, content?: BinaryNode[]) =>
      client.sock.query({
        tag: 'iq',
        attrs: { to: '@s.whatsapp.net', ...attrs },
        ...(content && { content }),
      });
    await expect(ask({ type: 'get', xmlns: 'no:such' })).rejects.toMatchObject({ data: 501 });
    await expect(ask({ type: 'set', xmlns: 'encrypt' })).rejects.toMatchObject({ data: 400 });
    await expect(ask({ type: 'get', xmlns: 'w:g2' })).rejects.toMatchObject({ data: 501 });
    await expect(ask({ type: 'set', xmlns: 'blocklist' })).rejects.toMatchObject({ data: 400 });
    await expect(
      ask({ type: 'get', xmlns: 'w:mex' }, [
        { tag: 'query', attrs: { query_id: '6563316087068696' }, content: Buffer.from('{') },
      ]),
    ).rejects.toMatchObject({ data: 400 });
  });

  it('gets an error for an undecryptable message, and stays connected', async () => {
    const acked = (id: string) =>
      new Promise<string | undefined>((resolve) => {
        client.sock.ws.on('CB:ack', ({ attrs }: BinaryNode) => attrs.id === id && resolve(attrs.error));
      });
    const cases: [string, string, BinaryNode[]][] = [
      ['M1', `${ben}@s.whatsapp.net`, []],
      ['M2', '15559999999@s.whatsapp.net', []],
      ['M3', 'nonsense', []],
      ['M4', '1@g.us', [{ tag: 'enc', attrs: { type: 'skmsg' }, content: randomBytes(3) }]],
      ['M5', '1@newsletter', [{ tag: 'plaintext', attrs: {}, content: randomBytes(30) }]],
    ];
    for (const [id, to, content] of cases) {
      const answer = acked(id);
      await say({ tag: 'message', attrs: { id, to, type: 'text' }, content });
      expect(`${id} ${(await answer) ?? 'accepted'}`).toMatch(/M4 accepted|M\d \d{3}/);
    }
    expect(await stillWorks()).toBe(true);
  });

  it('is ignored when it answers, acknowledges or presents what does not exist', async () => {
    for (const tag of ['ack', 'receipt', 'presence', 'chatstate', 'call', 'notification', 'ib', 'nothing']) {
      await say({ tag, attrs: {} });
      await say({ tag, attrs: { id: 'X', to: 'nonsense', class: 'message', type: 'retry' }, content: [] });
      await say({
        tag,
        attrs: { id: 'X', to: `${ben}@s.whatsapp.net` },
        content: [{ tag: 'reject', attrs: {} }],
      });
    }
    expect(await stillWorks()).toBe(true);
  });

  it('survives stanzas of any shape', async () => {
    const word = fc.constantFrom(
      'iq',
      'message',
      'receipt',
      'usync',
      'enc',
      'participants',
      'to',
      'x',
      'query',
      'list',
    );
    const value = fc.oneof(
      // The client's codec takes `x@` for an address without a server, which is garbage on the wire.
      fc.string({ maxLength: 12 }).filter((text) => !text.endsWith('@')),
      fc.constantFrom('get', 'set', 'usync', 'w:g2', 'encrypt', '1@g.us'),
    );
    const stanza = fc.letrec<{ node: BinaryNode }>((tie) => ({
      node: fc.record({
        tag: word,
        attrs: fc.dictionary(fc.constantFrom('id', 'to', 'type', 'xmlns', 'jid', 'name'), value, {
          maxKeys: 4,
        }),
        content: fc.oneof(
          { depthSize: 'small' },
          fc.uint8Array({ maxLength: 20 }),
          fc.array(tie('node'), { maxLength: 3 }),
        ),
      }),
    })).node;
    for (const each of fc.sample(stanza, 150)) await say(each);
    expect(await stillWorks()).toBe(true);
  });
});
