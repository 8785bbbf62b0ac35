import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiError, createSteppedClock, createSystemClock } from '#kernel';
import { createEgress, type Egress } from '#platform/egress';
import { ada, useTestHarness } from '../testing/harness.ts';
import { eventsOf, noFiles } from '../testing/rows.ts';
import { createMediaSpool, type MediaSpoolOptions } from './media-spool.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1');
const OPUS = Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01\x01 and so on`, 'latin1');
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const HTML = Buffer.from('<!doctype html><title>Not found</title>');

describe('media', () => {
  const harness = useTestHarness();
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.webp`;
  }
  const serveFile = (bytes: Buffer, headers: Record<string, string> = {}): Promise<string> =>
    serve((_request, response) => response.writeHead(200, headers).end(bytes));

  /** Sends it and returns the event of its outcome. */
  async function ended(body: Record<string, unknown>, egress?: Egress) {
    harness.start(harness.store, egress);
    const me = await harness.newSender();
    await me.send({ to: ada, ...body });
    return vi.waitFor(
      async () => {
        const [event] = await eventsOf(harness.store, me.number);
        expect(event).toBeDefined();
        return event;
      },
      { timeout: 15_000 },
    );
  }

  const image = (media_url: string) => ({ media_type: 'image', media_url });
  const failedWith = (detail: string) => ({ status: 'failed', reason: 'MEDIA_FAILED', detail });
  const unfetched = (why: string) => failedWith(`The file could not be fetched: ${why}`);

  describe('that cannot be fetched fails the message for good, with the reason', () => {
    it.each([
      ['is not there', 404, 'the host refused the request: status 404'],
      ['is forbidden', 403, 'the host refused the request: status 403'],
      ['has moved', 302, 'the url redirects elsewhere: status 302'],
    ])('when it %s', async (_what, status, why) => {
      const elsewhere = await serveFile(PNG);
      const url = await serve((_request, response) =>
        response.writeHead(status, { location: elsewhere }).end(),
      );
      expect(await ended(image(url))).toMatchObject(unfetched(why));
    });

    it('when no server listens', async () => {
      const url = await serveFile(PNG);
      for (const close of closers.splice(0)) close();
      expect(await ended(image(url))).toMatchObject(unfetched('the host could not be reached'));
    });

    it('when it takes longer than a minute', async () => {
      const asked = Promise.withResolvers<void>();
      const url = await serve(() => asked.resolve());
      const egress = createEgress({ clock: harness.clock, publicOnly: false });
      const end = ended(image(url), egress);
      await asked.promise;
      harness.clock.advance(60_000);
      expect(await end).toMatchObject(unfetched('there was no complete answer in time'));
      await egress.close();
    });

    it('when it declares more than 64 MB', async () => {
      const url = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': OUTBOUND_MEDIA_MAX_BYTES + 1 }).write(PNG);
      });
      expect(await ended(image(url))).toMatchObject(unfetched('the file is too large'));
    });

    it('when it exceeds 64 MB while it is read', async () => {
      const block = Buffer.alloc(1024 * 1024, 1);
      const url = await serve((_request, response) => {
        let blocks = 0;
        const more = (): void => {
          while (blocks++ < 80) if (!response.write(block)) return void response.once('drain', more);
          response.end();
        };
        more();
      });
      expect(await ended(image(url))).toMatchObject(unfetched('the file is too large'));
      expect(readdirSync(harness.folder)).toEqual([]);
    });

    it.each([
      ['image', 'The file is application/octet-stream, not image.'],
      ['video', 'The file is application/octet-stream, not video.'],
      ['audio', 'The file is application/octet-stream, not audio.'],
    ])('when its bytes do not match its kind: %s', async (media_type, detail) => {
      const media_url = await serveFile(HTML, { 'content-type': `${media_type}/png` });
      expect(await ended({ media_type, media_url })).toMatchObject(failedWith(detail));
    });

    it('when a sticker is no WebP, whatever its name', async () => {
      const sticker_url = await serveFile(PNG, { 'content-type': 'image/webp' });
      expect(await ended({ type: 'sticker', sticker_url })).toMatchObject(
        failedWith('The file is image/png, not a WebP sticker.'),
      );
    });
  });

  it('takes exactly 64 MB', async () => {
    const largest = Buffer.alloc(OUTBOUND_MEDIA_MAX_BYTES, 1);
    PNG.copy(largest);
    expect(await ended(image(await serveFile(largest)))).toMatchObject({ status: 'sent' });
  });

  it.each([
    ['text', HTML, 'text/csv; charset=utf-8', 'text/csv'],
    [
      'an office document, which is a zip file',
      Buffer.from('PK\x03\x04'),
      'application/vnd.oasis',
      'application/vnd.oasis',
    ],
    ['a file with a strange type', HTML, 'image/png', 'application/octet-stream'],
    ['sound, by its container alone', OPUS, 'audio/ogg; codecs=opus', 'audio/ogg'],
    ['a file with a known signature', Buffer.from('%PDF-1.4'), 'text/plain', 'application/pdf'],
  ])('takes any file as a document: %s', async (_what, bytes, declared, mimetype) => {
    const media_url = await serveFile(bytes, { 'content-type': declared });
    expect(await ended({ media_type: 'document', media_url })).toMatchObject({ status: 'sent' });
    expect(harness.world.messages.seenBy(ada)).toMatchObject([{ content: { media: { mimetype } } }]);
  });

  it.each([
    ['its own name', { file_name: 'Plan.DOCX' }, Buffer.from('PK\x03\x04'), DOCX],
    ['another name', { file_name: 'plan' }, Buffer.from('PK\x03\x04'), 'application/zip'],
    [
      'a name that its bytes contradict',
      { file_name: 'plan.docx' },
      Buffer.from('%PDF-1.4'),
      'application/pdf',
    ],
  ])(
    'takes the type of a document from %s, where its server names none',
    async (_what, name, bytes, mimetype) => {
      const media_url = await serveFile(bytes, { 'content-type': 'application/octet-stream' });
      expect(await ended({ media_type: 'document', media_url, ...name })).toMatchObject({ status: 'sent' });
      expect(harness.world.messages.seenBy(ada)).toMatchObject([{ content: { media: { mimetype } } }]);
    },
  );

  it('with Opus in Ogg has the codec in its type, because phones only play it then', async () => {
    const media_url = await serveFile(OPUS, { 'content-type': 'audio/ogg' });
    expect(await ended({ media_type: 'audio', media_url })).toMatchObject({ status: 'sent' });
    expect(harness.world.messages.seenBy(ada)).toMatchObject([
      { content: { type: 'audio', media: { mimetype: 'audio/ogg; codecs=opus' } } },
    ]);
  });

  it('stops downloading when the gateway stops, and costs the message no attempt', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await serve(() => asked.resolve());
    const outbox = harness.start();
    const me = await harness.newSender();
    await me.send({ to: ada, ...image(url) });
    await asked.promise;
    await outbox.stop();
    expect(await eventsOf(harness.store, me.number)).toEqual([]);
    expect(harness.troubles).toEqual([]);
  });

  describe('passes through a folder', () => {
    const never = new AbortController().signal;
    const spoolOver = (
      egress: Pick<Egress, 'download'>,
      library: MediaSpoolOptions['library'] = noFiles,
      clock = createSteppedClock(),
    ) => createMediaSpool({ folder: harness.folder, egress, library, clock });

    it('that holds it while it is in use and never longer', async () => {
      const egress = createEgress({ clock: createSystemClock(), publicOnly: false });
      const need = { from: { url: await serveFile(PNG) }, as: 'image' } as const;
      const fetched = await spoolOver(egress).fetch('ada', need, never);
      expect(readFileSync(fetched.file.path)).toEqual(PNG);
      await fetched[Symbol.asyncDispose]();
      expect(existsSync(fetched.file.path)).toBe(false);
      const asAudio = spoolOver(egress).fetch('ada', { ...need, as: 'audio' }, never);
      await expect(asAudio).rejects.toThrow('not audio');
      expect(readdirSync(harness.folder)).toEqual([]);
      await egress.close();
    });

    const unused = { download: () => Promise.reject(new Error('not used')) };
    const kept = { from: { mediaId: 'med_1' }, as: 'document' } as const;
    const media = {
      id: 'med_1',
      accountId: 'ada',
      phone: null,
      objectId: 'o',
      size: PNG.length,
      expiresAt: 0,
      mimetype: 'image/png',
      fileName: 'a.png',
      sha256: '',
    };
    it.each([
      ['application/postscript', 'application/postscript'],
      ['text/csv; charset=utf-8', 'text/csv'],
      ['audio/x-m4b', 'audio/x-m4b'],
      ['application/octet-stream', 'image/png'],
    ])('that keeps the type which the sender gave with a document: %s', async (mimetype, expected) => {
      const library = { findNeeded: async () => ({ ...media, mimetype }), read: async () => bytes() };
      await using fetched = await spoolOver(unused, library).fetch('ada', kept, never);
      expect(fetched.file.mimetype).toBe(expected);
    });

    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield PNG;
    }

    it('also when it is stored here, and waits for an unreachable media store without losing an attempt', async () => {
      const clock = createSteppedClock();
      const read = vi
        .fn<MediaSpoolOptions['library']['read']>()
        .mockRejectedValueOnce(apiError('media_store_unreachable'))
        .mockRejectedValueOnce(apiError('media_store_unreachable'))
        .mockImplementation(async () => bytes());
      const findNeeded = async (accountId: string) => (accountId === 'ada' ? media : undefined);
      const spool = spoolOver(unused, { findNeeded, read }, clock);
      const fetching = spool.fetch('ada', kept, never);
      await vi.waitFor(() => {
        clock.advance(5_000);
        expect(read).toHaveBeenCalledTimes(3);
      });
      await using fetched = await fetching;
      expect(readFileSync(fetched.file.path)).toEqual(PNG);
      expect(fetched).toMatchObject({ fileName: 'a.png', file: { mimetype: 'image/png', size: PNG.length } });
      await expect(spool.fetch('eve', kept, never)).rejects.toMatchObject({
        kind: 'permanent',
        failure: 'media',
      });
    });

    it('fails for good, at once, when the store has lost the file', async () => {
      const read = () => Promise.reject(apiError('media_not_found'));
      const spool = spoolOver(unused, { findNeeded: async () => media, read });
      await expect(spool.fetch('ada', kept, never)).rejects.toMatchObject({
        kind: 'permanent',
        failure: 'media',
        message: 'The file is not in the media store.',
      });
      expect(readdirSync(harness.folder)).toEqual([]);
    });

    it('and stops waiting when the message need not leave any more', async () => {
      const leave = new AbortController();
      const read = () => Promise.reject(apiError('media_store_unreachable'));
      const fetching = spoolOver(unused, { findNeeded: async () => media, read }).fetch(
        'ada',
        kept,
        leave.signal,
      );
      leave.abort();
      await expect(fetching).rejects.toMatchObject({ kind: 'offline' });
      expect(readdirSync(harness.folder)).toEqual([]);
    });

    it('that is emptied when the gateway starts', () => {
      writeFileSync(join(harness.folder, 'left behind'), 'by a process that died');
      spoolOver({ download: () => Promise.reject(new Error('not used')) });
      expect(readdirSync(harness.folder)).toEqual([]);
    });

    it('with slots, so that it never holds more than thirty-two', async () => {
      let underWay = 0;
      let most = 0;
      const finish: (() => void)[] = [];
      const spool = spoolOver({
        async download() {
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise<void>((resolve) => finish.push(resolve));
          underWay -= 1;
          throw new Error('enough');
        },
      });
      const need = { from: { url: 'http://127.0.0.1/' }, as: 'image' } as const;
      const files = Promise.allSettled(Array.from({ length: 60 }, () => spool.fetch('ada', need, never)));
      await vi.waitFor(() => expect(underWay).toBe(32), { interval: 1 });
      for (let done = 0; done < 60; done++) {
        await vi.waitFor(() => expect(finish.length).toBeGreaterThan(0), { interval: 1 });
        finish.shift()?.();
      }
      await files;
      expect(most).toBe(32);
    });
  });
});
