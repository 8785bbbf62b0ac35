import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiError } from '#kernel';
import { databaseNames } from '#testing';
import type { Media } from './library.ts';
import { answerFile, partOf } from './routes.ts';
import { createStage, type MediaStage } from './testing/stage.ts';

it.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=0-99', { from: 0, to: 100 }],
  ['bytes=10-', { from: 10, to: 100 }],
  ['bytes=10-1000', { from: 10, to: 100 }],
  ['bytes=-10', { from: 90, to: 100 }],
  ['bytes=-1000', { from: 0, to: 100 }],
  ['bytes=100-', 'outside'],
  ['bytes=100-200', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
  ['bytes=a-b', undefined],
  ['bytes=-', undefined],
  [undefined, undefined],
])('of 100 bytes, %s is %o', (header, part) => {
  expect(partOf(header, 100)).toEqual(part);
});

describe('an answer with a file', () => {
  const BYTES = Buffer.from('0123456789');
  let stage: MediaStage;
  let media: Media;
  beforeAll(async () => {
    stage = await createStage('SQLite');
    media = await stage.library.keep({ accountId: 'ada', phone: null }, stage.file(BYTES));
  });
  afterAll(() => stage.close());

  async function answer(asked: Record<string, string> = {}) {
    const given = { status: 200, headers: new Map<string, string>() };
    const bytes = await answerFile(stage.library, media, {
      signal: AbortSignal.timeout(5_000),
      header: (name) => asked[name.toLowerCase()],
      setHeader: (name, value) => void given.headers.set(name.toLowerCase(), String(value)),
      setStatus: (status) => {
        given.status = status;
      },
    }).catch((error: ApiError) => error);
    const body = bytes instanceof Readable ? String(await buffer(bytes)) : bytes;
    const { status, headers } = given;
    return { status, body, range: headers.get('content-range'), length: headers.get('content-length') };
  }
  const WHOLE = { status: 200, body: String(BYTES), range: undefined, length: '10' };

  it('is the whole file where no part is asked for, or a part of another version', async () => {
    expect(await answer()).toEqual(WHOLE);
    expect(await answer({ range: 'bytes=0-1', 'if-range': '"another"' })).toEqual(WHOLE);
  });

  it('is the part that is asked for, and says which', async () => {
    const part = { status: 206, body: '23', range: 'bytes 2-3/10', length: '2' };
    expect(await answer({ range: 'bytes=2-3' })).toEqual(part);
    expect(await answer({ range: 'bytes=2-3', 'if-range': `"${media.sha256}"` })).toEqual(part);
  });

  it('refuses a part that lies outside, and says how large the file is', async () => {
    const { body, range } = await answer({ range: 'bytes=10-' });
    expect(body).toMatchObject({ code: 'media_range_invalid' });
    expect(range).toBe('bytes */10');
  });

  it.each(['*', '"ETAG"', 'W/"ETAG"', '"other", "ETAG"'])(
    'has no bytes for a caller who has them: %s',
    async (tag) => {
      const known = await answer({ 'if-none-match': tag.replace('ETAG', media.sha256) });
      expect(known).toEqual({ status: 304, body: undefined, range: undefined, length: undefined });
    },
  );

  it('is the whole file for a caller who has another', async () => {
    expect(await answer({ 'if-none-match': '"other"' })).toEqual(WHOLE);
  });
});

describe.each(databaseNames)('a file that was kept under labels no header can hold (%s)', (database) => {
  it.each([
    ['image/png\r\nSet-Cookie: a=b', 'a\r\nb.pdf'],
    ['картинка/png', '漢字\u202e.pdf'],
    ['image/\u0000png', '\u0000'],
    ['image/png\ud800', 'half\ud800.pdf'],
  ])('is served as bytes of an unknown kind: %j, %j', async (mimetype, fileName) => {
    const stage = await createStage(database);
    const row = await stage.library.keep(
      { accountId: 'ada', phone: null },
      { ...stage.file(Buffer.from('bytes')), mimetype, fileName },
    );
    const media = await stage.library.find('ada', row.id);
    if (!media) throw new Error('the file was kept');
    expect(media).toMatchObject({ mimetype, fileName });
    const server = createServer(async (asking, answer) => {
      const bytes = await answerFile(stage.library, media, {
        signal: AbortSignal.timeout(5_000),
        header: (name) => [asking.headers[name.toLowerCase()]].flat()[0],
        setHeader: (name, value) => void answer.setHeader(name, value),
        setStatus: (status) => void answer.writeHead(status),
      }).catch((error: Error) => void answer.writeHead(500).end(error.message));
      bytes?.pipe(answer);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    try {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect([answer.status, await answer.text()]).toEqual([200, 'bytes']);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    } finally {
      server.close();
      await stage.close();
    }
  });
});
