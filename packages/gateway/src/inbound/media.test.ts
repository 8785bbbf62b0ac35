import type { InboundMedia as PublicMedia } from '@parley/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type InboundContent, NetworkError } from '#network';
import { createNetworkEventSink } from './sink.ts';
import {
  ADA,
  chatOf,
  clearStage,
  groups,
  message,
  SESSION,
  stage,
  take,
  undisturbed,
} from './testing/sink.ts';

beforeEach(clearStage);

const MEGABYTE = 1024 * 1024;

describe('media', () => {
  const file = (size: number, kind: 'image' | 'document' = 'image'): InboundContent => ({
    kind,
    caption: 'Look',
    media: {
      ref: { kind, token: 't' },
      mimetype: kind === 'image' ? 'image/jpeg' : 'application/pdf',
      size,
      ...(kind === 'document' && { fileName: 'Offer.PDF' }),
    },
  });

  const named = { id: `med_slot_1_message/${ADA}/M1`, url: 'https://a/f' };

  async function mediaOf(content: InboundContent): Promise<PublicMedia | undefined> {
    const [event] = await take(message(content));
    expect(event).toMatchObject({ type: content.kind, text: 'Look' });
    return event?.kind === 'message' ? event.media : undefined;
  }

  test('is inlined, with its real size', async () => {
    expect(await mediaOf(file(999))).toEqual({
      mimetype: 'image/jpeg',
      extension: 'jpg',
      file_length: 4,
      data: Buffer.from('file').toString('base64'),
      status: 'downloaded',
      ...named,
    });
  });

  test('can be fetched before its event is published, and is kept with the message where its number keeps files', async () => {
    const content = file(999);
    const id = named.id;
    const noted = 'media' in content && { id, file: content.media };
    await mediaOf(content);
    expect(stage.arrivals.splice(0)).toEqual([noted]);

    const keptWith = { type: 'message', historyId: 'h', chat: ADA, messageId: 'M1' } as const;
    const entry = {
      ...keptWith,
      fromMe: 0,
      at: 0,
      seq: 0,
      expiresAt: null,
      sealed: new Uint8Array(),
      ...{ state: 0, isPast: false, author: null },
    } as const;
    const nothing = () => [];
    const past = { message: nothing, chat: nothing, progress: nothing };
    stage.keeper = { keepsFiles: true, message: () => [entry], receipt: nothing, chat: nothing, past };
    await mediaOf(content);
    const bytes = Buffer.from('file');
    expect(stage.arrivals.splice(0)).toEqual([
      { ...noted, keptWith: expect.objectContaining(keptWith), bytes },
    ]);
    await take(message(content, { viewOnce: true }));
    expect(stage.arrivals.splice(0)).toEqual([noted]);
    stage.keeper = { ...stage.keeper, keepsFiles: false };
    await mediaOf(content);
    expect(stage.arrivals.splice(0)).toEqual([noted]);
  });

  test('that is a document keeps its name', async () => {
    expect(await mediaOf(file(4, 'document'))).toMatchObject({ filename: 'Offer.PDF', extension: 'pdf' });
  });

  test.each([
    ['image/jpeg', undefined, 'jpg'],
    ['IMAGE/JPEG', undefined, 'jpg'],
    ['audio/ogg; codecs=opus', undefined, 'ogg'],
    ['application/pdf', undefined, 'pdf'],
    ['application/vnd.unregistered', undefined, 'bin'],
    ['application/', undefined, 'bin'],
    ['', undefined, 'bin'],
    ['application/pdf', 'Offer', 'pdf'],
    ['application/pdf', 'archive.tar.GZ', 'gz'],
    ['application/pdf', 'no.extension at all', 'pdf'],
    ['application/pdf', 'no.ninechars', 'pdf'],
  ])('of type %j with the name %j has the extension %s', async (mimetype, fileName, extension) => {
    const media = { ref: { kind: 'document', token: 't' }, mimetype, size: 4 } as const;
    const parsed = await mediaOf({
      kind: 'document',
      caption: 'Look',
      media: fileName === undefined ? media : { ...media, fileName },
    });
    expect(parsed).toMatchObject({ extension });
    expect(parsed?.filename).toBe(fileName);
  });

  test('of exactly 4 MB is inlined, larger is only described and never downloaded', async () => {
    let downloads = 0;
    stage.download = async (_ref, { maxBytes }) => {
      downloads++;
      return Buffer.alloc(maxBytes);
    };
    expect(await mediaOf(file(4 * MEGABYTE))).toMatchObject({
      status: 'downloaded',
      file_length: 4 * MEGABYTE,
    });
    stage.emitted = [];
    expect(await mediaOf(file(4 * MEGABYTE + 1))).toEqual({
      mimetype: 'image/jpeg',
      extension: 'jpg',
      file_length: 4 * MEGABYTE + 1,
      data: '',
      status: 'too_large',
      ...named,
    });
    expect(downloads).toBe(1);
  });

  test.each([
    ['the network does not give it any more', new NetworkError('permanent', 'gone')],
    ['of a defect', new TypeError('a defect')],
  ])(
    'that cannot be had because %s is asked for once, described, and its message arrives',
    async (_why, failure) => {
      let asked = 0;
      stage.download = () => {
        asked += 1;
        return Promise.reject(failure);
      };
      expect(await mediaOf(file(999))).toMatchObject({ status: 'error', data: '', file_length: 999 });
      expect(asked).toBe(1);
    },
  );

  test('that fails for a passing reason is asked for once more', async () => {
    let asked = 0;
    stage.download = async () => {
      if (++asked === 1) throw new NetworkError('transient', 'lost');
      return Buffer.from('x');
    };
    expect(await mediaOf(file(999))).toMatchObject({ status: 'downloaded' });
  });

  test('is in memory for sixteen downloads at a time, over all numbers', async () => {
    let underWay = 0;
    let most = 0;
    const held = Promise.withResolvers<void>();
    const sink = createNetworkEventSink({
      ...undisturbed,
      log: { emit: async () => {} },
      receipts: { note: async () => '' },
    });
    const session = {
      async download() {
        underWay += 1;
        most = Math.max(most, underWay);
        await held.promise;
        underWay -= 1;
        return Buffer.from('file');
      },
      chatOf,
      groups,
    };
    const deliveries = Array.from({ length: 5 }, (_, place) => {
      const number = { accountId: 'a', slotId: `slot_${place}`, phone: `${place}` };
      const events = Array.from({ length: 4 }, (_, each) => message(file(4), { id: `${each}` }));
      return sink({ number, sessionId: SESSION, session }, events);
    });
    await vi.waitFor(() => expect(underWay).toBe(16));
    held.resolve();
    await Promise.all(deliveries);
    expect(most).toBe(16);
  });

  test('comes in small batches, and all events stay in their order', async () => {
    const events = Array.from({ length: 20 }, (_, index) =>
      message(index % 2 ? file(4) : { kind: 'text', text: 'x' }, { id: `${index}`, messageId: `${index}` }),
    );
    await take(...events);
    expect(stage.emitted.map((batch) => batch.length)).toEqual([9, 8, 3]);
    expect(stage.emitted.flat().map(({ key }) => key)).toEqual(events.map(({ id }) => id));
  });
});
