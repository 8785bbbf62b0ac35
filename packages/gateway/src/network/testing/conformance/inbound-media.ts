import { buffer } from 'node:stream/consumers';
import type { MediaContent, MediaRef as StoredMedia } from '@parley/sandbox/world';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InboundMedia } from '../../content.ts';
import { defined, failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

const BYTES = Buffer.from('a file of a stranger'.repeat(100));

type Make = (media: StoredMedia) => MediaContent;

const kinds: [MediaContent['type'], string, Make, Record<string, unknown>][] = [
  [
    'image',
    'image/jpeg',
    (media) => ({ type: 'image', media, caption: 'A picture' }),
    { caption: 'A picture' },
  ],
  ['video', 'video/mp4', (media) => ({ type: 'video', media, caption: 'A film' }), { caption: 'A film' }],
  ['audio', 'audio/ogg; codecs=opus', (media) => ({ type: 'audio', media, voice: true }), {}],
  [
    'document',
    'application/pdf',
    (media) => ({ type: 'document', media, caption: 'An invoice', fileName: 'invoice.pdf' }),
    { caption: 'An invoice', media: { fileName: 'invoice.pdf' } },
  ],
  ['sticker', 'image/webp', (media) => ({ type: 'sticker', media }), {}],
];

export function describeInboundMedia(createHarness: CreateHarness): void {
  describe('incoming media', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone();
    });

    const receive = async (mimetype: string, make: Make) => {
      const { id } = stage.world.messages.send(ada.actor, {
        id: stage.world.messages.newId(),
        to: me.jid,
        content: make(stage.world.media.put(BYTES, mimetype)),
      });
      return stage.eventually(() => defined(me.witness.message(id), 'message event').content);
    };

    const receiveImage = async (): Promise<InboundMedia> => {
      const content = await receive('image/png', (media) => ({ type: 'image', media }));
      if (!('media' in content)) throw new Error(`${content.kind} carries no media`);
      return content.media;
    };

    it.each(kinds)('reports and downloads %s', async (kind, mimetype, make, extras) => {
      const content = await receive(mimetype, make);

      expect(content).toMatchObject({
        kind,
        media: { mimetype, size: BYTES.byteLength, ref: { kind } },
      });
      expect(content).toMatchObject(extras);
      if (!('media' in content)) throw new Error(`${content.kind} carries no media`);
      const bytes = await me.session.download(content.media.ref, { maxBytes: BYTES.byteLength });
      expect(Buffer.compare(bytes, BYTES)).toBe(0);
      const stream = await me.session.stream(content.media.ref, { maxBytes: BYTES.byteLength });
      expect(Buffer.compare(await buffer(stream), BYTES)).toBe(0);
    });

    it.each([
      ['image/png\r\nSet-Cookie: a=b', 'a.pdf\r\nX: y', 'application/octet-stream', 'a.pdfX: y'],
      ['картинка/png', 'отчёт\u202efdp.exe', 'application/octet-stream', 'отчётfdp.exe'],
      ['Image/PNG; name="\u0000"', '..\\../etc/passwd', 'Image/PNG', '.._.._etc_passwd'],
    ])(
      'report no type and no name that a header could not carry: %j, %j',
      async (mimetype, name, type, fileName) => {
        const content = await receive(mimetype, (media) => ({ type: 'document', media, fileName: name }));
        expect(content).toMatchObject({ kind: 'document', media: { mimetype: type, fileName } });
      },
    );

    it('do not exceed the size limit of a download', async () => {
      const { ref } = await receiveImage();
      const failure = await failureOf(me.session.download(ref, { maxBytes: BYTES.byteLength - 1 }));
      expect(failure.kind).toBe('permanent');
      const piecemeal = async () => buffer(await me.session.stream(ref, { maxBytes: BYTES.byteLength - 1 }));
      expect((await failureOf(piecemeal())).kind).toBe('permanent');
    });

    it('stop a download on demand', async () => {
      const { ref } = await receiveImage();
      const signal = AbortSignal.abort();
      const options = { maxBytes: BYTES.byteLength, signal };
      for (const stopped of [me.session.download(ref, options), me.session.stream(ref, options)])
        expect((await failureOf(stopped)).kind).toMatch(/^(?:transient|offline)$/);
    });

    it('are downloaded after a restart from a reference that was stored as JSON', async () => {
      const stored = JSON.stringify((await receiveImage()).ref);

      await stage.harness.restart();
      me = stage.open(me);
      await stage.eventually(() => expect(me.session.state.kind).toBe('connected'));

      const bytes = await me.session.download(JSON.parse(stored), { maxBytes: BYTES.byteLength });
      expect(Buffer.compare(bytes, BYTES)).toBe(0);
    });
  });
}
