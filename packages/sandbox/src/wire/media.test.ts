import { randomBytes } from 'node:crypto';
import { downloadMediaMessage, type WAMessage } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, handset } from '../world/fixture.ts';
import type { Bubble, Content } from '../world/index.ts';
import {
  type Client,
  event,
  receiveFrom,
  type Sending,
  seen,
  sendFrom,
  startTestNetwork,
  type TestNetwork,
} from './fixture.ts';

let network: TestNetwork;
let client: Client;
const file = randomBytes(70_000);

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

async function sentToBen(content: Sending[1]): Promise<Bubble['content']> {
  const id = await sendFrom(client, `${ben}@s.whatsapp.net`, content);
  return (await seen(network, ben, id)).content;
}

const receivedByAda = (content: Content) => receiveFrom(network, client, handset(ben), ada, content);

describe('files from a client', () => {
  it.each([
    ['image', { image: file, caption: 'look', jpegThumbnail: '' }, { caption: 'look' }],
    [
      'audio',
      { audio: file, mimetype: 'audio/ogg', ptt: true, seconds: 1, waveform: new Uint8Array() },
      { voice: true },
    ],
    ['document', { document: file, mimetype: 'application/pdf', fileName: 'a.pdf' }, { fileName: 'a.pdf' }],
    ['sticker', { sticker: file }, {}],
  ] as const)('arrive at a phone: %s', async (type, content, details) => {
    const seen = await sentToBen(content);
    expect(seen).toMatchObject({ type, ...details });
    expect('media' in seen && Buffer.from(network.world.media.read(seen.media.id) ?? []).equals(file)).toBe(
      true,
    );
  });
});

it('a video arrives with the MACs of its parts, and not with those of another', async () => {
  const video = { video: file, mimetype: 'video/mp4', jpegThumbnail: '', seconds: 3 } as const;
  const { type, media } = { media: undefined, ...(await sentToBen(video)) };
  expect([type, media?.traits]).toEqual(['video', { seconds: 3 }]);
  const wrong = { ...video, streamingSidecar: randomBytes(20) };
  expect(await sentToBen(wrong)).toMatchObject({ type: 'other' });
});

describe('files from a phone', () => {
  it.each(['image', 'video', 'audio', 'document', 'sticker'] as const)(
    'can be downloaded: %s',
    async (type) => {
      const media = network.world.media.put(file, 'application/octet-stream');
      const content = type === 'document' ? { type, media, fileName: 'a.bin' } : { type, media };
      const message = await receivedByAda(content);
      const bytes = await downloadMediaMessage(message, 'buffer', {});
      expect(bytes.equals(file)).toBe(true);
    },
  );

  it('stay on the phone when they may be viewed once: a client gets that there is one', async () => {
    const media = network.world.media.put(file, 'image/jpeg');
    const once = await receivedByAda({ type: 'image', media, caption: 'once', viewOnce: true });
    expect(once.message).toBeFalsy();
    expect(once.key.isViewOnce).toBe(true);
  });

  it('keep caption and file name', async () => {
    const media = network.world.media.put(file, 'image/jpeg');
    const paper = await receivedByAda({ type: 'document', media, fileName: 'p.jpg', caption: 'paper' });
    expect(paper.message?.documentWithCaptionMessage?.message?.documentMessage).toMatchObject({
      fileName: 'p.jpg',
      caption: 'paper',
    });
  });
});

it('serves a profile picture by its address, and distinguishes a missing from a hidden one', async () => {
  const bytes = randomBytes(500);
  await expect(client.sock.profilePictureUrl(`${ben}@s.whatsapp.net`)).rejects.toMatchObject({ data: 404 });
  network.world.photos.set(handset(ben), ben, bytes);
  const url = await client.sock.profilePictureUrl(`${ben}@s.whatsapp.net`, 'image');
  const answer = await fetch(url ?? '');
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  network.world.phones.update(handset(ben), { hidesPhoto: true });
  await expect(client.sock.profilePictureUrl(`${ben}@s.whatsapp.net`)).rejects.toMatchObject({ data: 401 });
});

it('names several media servers with the same files, and fails on the first when it has to', async () => {
  const { hosts } = await client.sock.refreshMediaConn(true);
  const [first, second] = hosts.map(({ hostname }) => `https://${hostname}`);
  expect(first).not.toBe(second);
  const media = network.world.media.put(file, 'image/jpeg');
  const path = `/public/${media.id}`;
  const statuses = () =>
    Promise.all([first, second].map(async (host) => (await fetch(`${host}${path}`)).status));
  expect(await statuses()).toEqual([200, 200]);
  const rules = network.world.standing.rules();
  network.world.standing.setRules({ ...rules, brokenMediaHosts: 1 });
  expect(await statuses()).toEqual([503, 200]);
  network.world.standing.setRules(rules);
});

it('refuses an upload with other bytes than its hash, or without valid credentials; deletes a history', async () => {
  const { hosts, auth } = await client.sock.refreshMediaConn(true);
  const hash = 'A'.repeat(43);
  const upload = (credential: string, token: string, method = 'POST', folder = 'image') => {
    const query = new URLSearchParams({ auth: credential, token });
    const address = `https://${hosts[0]?.hostname}/mms/${folder}/${hash}?${query}`;
    return fetch(address, method === 'POST' ? { method, body: 'other bytes' } : { method });
  };
  expect((await upload(auth, hash)).status).toBe(415);
  expect((await upload('another', hash)).status).toBe(401);
  expect((await upload(auth, 'another')).status).toBe(401);
  expect((await upload(auth, hash, 'DELETE', 'md-msg-hist')).status).toBe(200);
  expect((await upload(auth, hash, 'DELETE')).status).toBe(404);
  network.world.clock.advance(6 * 3_600_000);
  expect((await upload(auth, hash)).status).toBe(401);
  expect((await fetch(`https://${hosts[0]?.hostname}/mms/../secret`)).status).toBe(404);
});

describe('a file whose download was armed to fail', () => {
  const download = (arrived: WAMessage) => downloadMediaMessage(arrived, 'buffer', {});

  it('is there again for a device that asks the phone, each time', async () => {
    const media = network.world.media.put(file, 'image/jpeg');
    const other = await network.link(ada);
    const elsewhere = event(other.sock, 'messages.upsert', ({ messages }) =>
      Boolean(messages[0]?.message?.imageMessage),
    );
    network.world.faults.arm(client.sessionId, { kind: 'media_download', count: 2, ms: 0 });
    const message = await receivedByAda({ type: 'image', media });

    const [same] = (await elsewhere).messages;
    expect(same && (await download(same)).equals(file)).toBe(true);
    for (const _upload of ['first', 'second']) {
      await expect(download(message)).rejects.toThrow();
      await expect(download(message)).rejects.toThrow();
      await client.sock.updateMediaMessage(message);
    }
    expect((await download(message)).equals(file)).toBe(true);
    expect((await download(await receivedByAda({ type: 'image', media }))).equals(file)).toBe(true);
  });

  it('is not on its phone either', async () => {
    const media = network.world.media.put(file, 'image/jpeg');
    network.world.faults.arm(client.sessionId, { kind: 'media_gone', count: 1, ms: 0 });
    const message = await receivedByAda({ type: 'image', media });
    await expect(download(message)).rejects.toThrow();
    await expect(client.sock.updateMediaMessage(message)).rejects.toMatchObject({
      output: { statusCode: 404 },
    });
    await expect(download(message)).rejects.toThrow();
  });

  it('comes for the key of the file only', async () => {
    const media = network.world.media.put(file, 'image/jpeg');
    const message = await receivedByAda({ type: 'image', media });
    const { imageMessage } = message.message ?? {};
    if (!imageMessage) throw new Error('no image');
    imageMessage.mediaKey = randomBytes(32);
    await expect(client.sock.updateMediaMessage(message)).rejects.toThrow();
  });
});

it('finds a file again when its address in the message has expired', async () => {
  const media = network.world.media.put(file, 'image/jpeg');
  const message = await receivedByAda({ type: 'image', media });
  const { imageMessage } = message.message ?? {};
  if (!imageMessage) throw new Error('no image');
  imageMessage.directPath = '/gone';
  await client.sock.updateMediaMessage(message);
  expect((await downloadMediaMessage(message, 'buffer', {})).equals(file)).toBe(true);
});
