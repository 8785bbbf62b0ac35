import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPictureHeader } from '@parley/codecs';
import { BLUE_MOV, coveredVideo, greyPng, RED_VIDEO, SONG_MP3, VOICE } from '@parley/codecs/testing';
import { type BubbleContent, userJid } from '@parley/sandbox/world';
import { getBinaryNodeChild, proto } from 'baileys';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OutboundContent } from '../../content.ts';
import { ADA, ME, online, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-sent-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Sent = Extract<OutboundContent, { file: unknown }>['kind'];

/** Sends files of one number, and reads what Ada's phone has of them. */
async function sending() {
  const transit = path.join(folder, 'transit');
  const harness = await setUp({ folder: transit });
  const { session } = await online(harness);
  let sent = 0;
  const fileOf = async (bytes: Uint8Array, mimetype: string) => {
    const file = path.join(folder, `${++sent}`);
    await writeFile(file, bytes);
    return { path: file, size: bytes.length, mimetype };
  };
  return {
    harness,
    session,
    fileOf,
    filesInTransit: () => readdir(transit),
    async traitsOf(kind: Exclude<Sent, 'status_media'>, bytes: Uint8Array, mimetype: string) {
      const messageId = `3EB0F${sent}`;
      const file = await fileOf(bytes, mimetype);
      const content = kind === 'document' ? { kind, file, fileName: 'a' } : { kind, file };
      await session.send({ messageId, to: userJid(ADA), content });
      const bubble = await vi.waitFor(() => {
        const found = harness.world.messages.find(ADA, messageId);
        if (!found) throw new Error('not shown yet');
        return found;
      }, WAIT);
      const { traits, id } = mediaIn(bubble.content);
      expect(Buffer.from(harness.world.media.read(id) ?? []).equals(bytes)).toBe(true);
      return traits;
    },
  };
}

function mediaIn(content: BubbleContent | { type: string }) {
  if (!('media' in content)) throw new Error('no media');
  return content.media;
}

test('gives a sent picture its size and a thumbnail, and sends what is no picture without', async () => {
  const { traitsOf } = await sending();
  const { thumbnail = '', ...size } = (await traitsOf('image', greyPng(300, 300), 'image/png')) ?? {};
  expect(size).toEqual({ width: 300, height: 300 });
  expect(readPictureHeader(Buffer.from(thumbnail, 'base64'))).toMatchObject({
    format: 'jpeg',
    width: 100,
    height: 100,
  });
  expect(await traitsOf('image', Buffer.from('no picture at all, in spite of its type'), 'image/png')).toBe(
    undefined,
  );
});

test('gives a sent video its duration, its size and a thumbnail: its cover, or a mark in its shape', async () => {
  const { traitsOf } = await sending();
  for (const [bytes, mimetype, size, thumbnailSize] of [
    [coveredVideo(), 'video/mp4', { width: 64, height: 36 }, { width: 32, height: 16 }],
    [RED_VIDEO, 'video/mp4', { width: 64, height: 36 }, { width: 64, height: 36 }],
    [BLUE_MOV, 'video/quicktime', { width: 32, height: 16 }, { width: 32, height: 16 }],
  ] as const) {
    const { thumbnail = '', ...traits } = (await traitsOf('video', bytes, mimetype)) ?? {};
    expect(traits).toEqual({ seconds: 2, streamed: true, ...size });
    expect(readPictureHeader(Buffer.from(thumbnail, 'base64'))).toMatchObject(thumbnailSize);
  }
});

test('gives a voice message its seconds and its waveform, and another sound its seconds', async () => {
  const { traitsOf } = await sending();
  const voice = (await traitsOf('audio', VOICE, 'audio/ogg; codecs=opus')) ?? {};
  expect(voice.seconds).toBe(2);
  const waveform = Buffer.from(voice.waveform ?? '', 'base64');
  expect(waveform).toHaveLength(64);
  expect(Math.max(...waveform.subarray(2, 30))).toBeLessThan(Math.min(...waveform.subarray(36, 62)));
  expect(await traitsOf('audio', SONG_MP3, 'audio/mpeg')).toEqual({ seconds: 2, streamed: true });
});

test('encrypts a file in pieces, with the MACs by which a phone plays it while it downloads', async () => {
  const { traitsOf, filesInTransit } = await sending();
  // Around the sizes at which one more part begins.
  for (const size of [1, 65_500, 65_510, 65_520, 65_526, 65_530, 131_056, 200_000]) {
    expect(await traitsOf('audio', Buffer.alloc(size, 'sound'), 'audio/mpeg')).toEqual({ streamed: true });
  }
  expect(await filesInTransit()).toEqual([]);
});

test('sets a square JPEG of any picture, and refuses a bomb before decoding it', async () => {
  const { harness, session, fileOf } = await sending();
  const id = await session.contacts.setOwnPhoto(await fileOf(greyPng(300, 300), 'image/png'));
  const photo = harness.world.photos.byId(id)?.bytes ?? Buffer.alloc(0);
  expect(readPictureHeader(photo)).toMatchObject({ format: 'jpeg', width: 640, height: 640 });

  const bomb = greyPng(30_000, 30_000, false);
  await expect(session.contacts.setOwnPhoto(await fileOf(bomb, 'image/png'))).rejects.toMatchObject({
    kind: 'malformed',
  });
  expect(harness.world.photos.idOf(ME)).toBe(id);
});

test('posts a file to the servers of channels, with the thumbnail that they make', async () => {
  const { harness, session, fileOf } = await sending();
  const { jid } = await session.channels.create({ name: 'Tides' });
  const bytes = greyPng(300, 200);
  const stanzas = harness.received.length;
  await session.channels.send(jid, {
    messageId: '3EB0C1',
    content: { kind: 'image', file: await fileOf(bytes, 'image/png'), caption: 'High water' },
  });
  const [post] = harness.world.channels.messages(jid, 1);
  expect(post?.content).toMatchObject({ type: 'image', caption: 'High water' });
  const media = mediaIn(post?.content ?? { type: 'none' });
  expect(media).toMatchObject({ size: bytes.length, traits: { width: 300, height: 200 } });
  expect(Buffer.from(harness.world.media.read(media.id) ?? []).equals(bytes)).toBe(true);

  const stanza = harness.received.slice(stanzas).find(({ attrs }) => attrs.id === '3EB0C1');
  const plaintext = getBinaryNodeChild(stanza, 'plaintext');
  const { imageMessage } = proto.Message.decode(Buffer.from((plaintext?.content as Uint8Array) ?? []));
  expect(imageMessage?.thumbnailSha256).toHaveLength(32);
  expect(imageMessage?.thumbnailDirectPath).toMatch(/^\/newsletter\//);
  for (const kind of ['document', 'audio'] as const) {
    const content = { kind, file: await fileOf(Buffer.from(`a ${kind}`), 'text/plain'), fileName: 'a.txt' };
    const { serverId } = await session.channels.send(jid, { messageId: `3EB0C${kind}`, content });
    expect(serverId).toBeGreaterThan(0);
  }
});

test('uploads to the next server when one fails, and with new credentials when they have expired', async () => {
  const { harness, traitsOf } = await sending();
  const asked: string[] = [];
  let auth = 'expired';
  harness.intercept(({ tag, attrs: { xmlns, id = '' } }) => {
    if (tag !== 'iq' || xmlns !== 'w:m') return undefined;
    asked.push(auth);
    if (auth !== 'expired') return undefined;
    auth = 'valid';
    const hosts = ['127.0.0.1:9', harness.wire.mediaHost].map((hostname) => ({
      tag: 'host',
      attrs: { hostname },
    }));
    const content = [{ tag: 'media_conn', attrs: { auth: 'expired', ttl: '3600' }, content: hosts }];
    return { tag: 'iq', attrs: { id, type: 'result', from: '@s.whatsapp.net' }, content };
  });
  await harness.advance(86_400_000);
  expect(await traitsOf('image', greyPng(30, 20), 'image/png')).toMatchObject({ width: 30, height: 20 });
  expect(asked).toEqual(['expired', 'valid']);
});
