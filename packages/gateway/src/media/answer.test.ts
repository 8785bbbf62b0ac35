import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { databaseNames } from '#testing';
import { answerFile, partOf } from './answer.ts';
import { createStage } from './testing/stage.ts';

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
