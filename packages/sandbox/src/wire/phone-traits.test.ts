import { type BinaryNode, Curve, getBinaryNodeChild, getBinaryNodeChildren, proto } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import type { Content } from '../world/index.ts';
import { type Client, receiveFrom, startTestNetwork, type TestNetwork } from './fixture.ts';
import { noisyPng } from './fixture-picture.ts';

const PICTURE = noisyPng(200);

/** What official apps add to each message and list, and other clients read. */
let network: TestNetwork;
let client: Client;
const jid = (phone: string) => `${phone}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const devicesOf = async (phone: string): Promise<BinaryNode | undefined> => {
  const answer = await client.sock.query({
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'usync' },
    content: [
      {
        tag: 'usync',
        attrs: { sid: '1', mode: 'query', last: 'true', index: '0', context: 'message' },
        content: [
          { tag: 'query', attrs: {}, content: [{ tag: 'devices', attrs: { version: '2' } }] },
          { tag: 'list', attrs: {}, content: [{ tag: 'user', attrs: { jid: jid(phone) } }] },
        ],
      },
    ],
  });
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
  return getBinaryNodeChild(getBinaryNodeChild(list, 'user'), 'devices');
};

const readList = (devices: BinaryNode | undefined) => {
  const found = getBinaryNodeChild(devices, 'key-index-list');
  const signed = proto.ADVSignedKeyIndexList.decode(Buffer.from(found?.content as Uint8Array));
  const details = Buffer.from(signed.details ?? []);
  return { ts: Number(found?.attrs.ts), signed, details, list: proto.ADVKeyIndexList.decode(details) };
};

describe('the list of devices', () => {
  it('is signed by the phone, and newer after a change', async () => {
    const before = readList(await devicesOf(ben));
    expect(before.list).toMatchObject({ validIndexes: [0], currentIndex: 0 });
    const { accountSignature, accountSignatureKey } = before.signed;
    const whole = Buffer.concat([Buffer.of(6, 2), before.details]);
    expect(Curve.verify(accountSignatureKey ?? Buffer.of(), whole, accountSignature ?? Buffer.of())).toBe(
      true,
    );
    expect(Number(before.list.timestamp)).toBe(before.ts);

    network.world.clock.advance(60_000);
    expect(readList(await devicesOf(ben)).ts).toBe(before.ts);
    const announced = new Promise<BinaryNode>((resolve) =>
      client.sock.ws.once('CB:notification,type:devices', resolve),
    );
    network.world.messages.send(handset(ben), { id: 'D1', to: ada, content: text('hi') });
    const other = await network.link(ben);
    const after = readList(await devicesOf(ben));
    expect(after.list.validIndexes).toHaveLength(2);
    expect(after.ts).toBeGreaterThan(before.ts);
    expect(after.list.rawId).toBe(before.list.rawId);
    expect(readList(getBinaryNodeChild(await announced, 'add')).ts).toBe(after.ts);
    network.world.devices.unlink(other.sessionId);
  });

  it('is described in each message of a phone, of both sides in direct chats', async () => {
    const metadataOf = async (content: Content, to = ada) =>
      (await receiveFrom(network, client, handset(ben), to, content)).message?.messageContextInfo;
    const direct = await metadataOf(text('hi'));
    const { deviceListMetadata: lists } = direct ?? {};
    expect([lists?.senderKeyHash, lists?.recipientKeyHash].map((hash) => hash?.length)).toEqual([10, 10]);
    expect(Number(lists?.senderTimestamp)).toBe(readList(await devicesOf(ben)).ts);
    expect(direct).toMatchObject({ deviceListMetadataVersion: 2, messageSecret: expect.anything() });
    const { group } = network.world.groups.create(handset(ben), { name: 'Club', participants: [ada, cleo] });
    const shared = await metadataOf(text('hi all'), group.jid);
    expect(shared?.deviceListMetadata?.senderKeyHash).toHaveLength(10);
    expect(shared?.deviceListMetadata?.recipientKeyHash ?? []).toHaveLength(0);
  });
});

describe('a message of a phone', () => {
  it('has the type of its content outside, and of its picture size, thumbnail and age of the key inside', async () => {
    const stanza = new Promise<BinaryNode>((resolve) => client.sock.ws.once('CB:message', resolve));
    const media = network.world.media.put(PICTURE, 'image/png');
    const content: Content = { type: 'image', media };
    const { message } = await receiveFrom(network, client, handset(ben), ada, content);
    const { attrs, content: parts } = await stanza;
    expect(attrs.type).toBe('media');
    const [enc] = getBinaryNodeChildren({ tag: 'message', attrs, content: parts }, 'enc');
    expect(enc?.attrs.mediatype).toBe('image');
    expect(message?.imageMessage).toMatchObject({ width: 200, height: 200 });
    expect(message?.imageMessage?.jpegThumbnail?.length).toBeGreaterThan(100);
    const age =
      Math.floor(network.world.clock.now() / 1_000) - Number(message?.imageMessage?.mediaKeyTimestamp);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(60);
  });

  it('has the type of a contact, a place and a voice message too, and none for text', async () => {
    const audio = network.world.media.put(PICTURE, 'audio/ogg');
    const contents: [Content, string | undefined][] = [
      [{ type: 'contact', displayName: 'Ben', vcard: 'BEGIN:VCARD\nEND:VCARD' }, 'vcard'],
      [{ type: 'location', latitude: 1, longitude: 2 }, 'location'],
      [{ type: 'audio', media: audio, voice: true }, 'ptt'],
      [text('plain'), undefined],
    ];
    for (const [content, type] of contents) {
      const stanza = new Promise<BinaryNode>((resolve) => client.sock.ws.once('CB:message', resolve));
      await receiveFrom(network, client, handset(ben), ada, content);
      expect(getBinaryNodeChild(await stanza, 'enc')?.attrs.mediatype).toBe(type);
    }
  });
});
