import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { getMediaKeys } from 'baileys';
import { describe, expect, test } from 'vitest';
import { NetworkError } from '../../errors.ts';
import { download } from './download.ts';
import type { MediaPointer } from './media-ref.ts';
import type { MediaTransport } from './request.ts';

const plain = Buffer.from('the bytes of a picture');

async function sealed(mediaKey: Buffer): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'image');
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac('sha256', macKey ?? '')
    .update(iv)
    .update(body)
    .digest();
  return Buffer.concat([body, mac.subarray(0, 10)]);
}

const mediaKey = randomBytes(32);
const file = await sealed(mediaKey);
const pointer: MediaPointer = {
  kind: 'image',
  directPath: '/v/picture',
  mediaKey,
  sha256: createHash('sha256').update(plain).digest(),
  encryptedSha256: createHash('sha256').update(file).digest(),
  message: { id: 'M', chat: 'c', fromMe: false },
};

function fetchFile(
  options: {
    body?: AsyncIterable<Uint8Array>;
    status?: number;
    length?: number;
    pointer?: Partial<MediaPointer>;
  } = {},
): { result: Promise<Uint8Array>; asked: string[] } {
  const asked: string[] = [];
  const transport: MediaTransport = {
    async get(url) {
      asked.push(url.href);
      const length = options.length === undefined ? {} : { length: options.length };
      return { status: options.status ?? 200, ...length, body: options.body ?? stream([file]) };
    },
  };
  const result = download({
    pointer: { ...pointer, ...options.pointer },
    host: 'media.example',
    transport,
    maxBytes: 64,
    signal: new AbortController().signal,
  });
  return { result, asked };
}

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const failure = (result: Promise<unknown>): Promise<unknown> => result.catch((error: unknown) => error);

describe('a download', () => {
  test('opens what its sender sealed', async () => {
    const { result, asked } = fetchFile();
    expect(Buffer.from(await result)).toEqual(plain);
    expect(asked).toEqual(['https://media.example/v/picture']);
  });

  test.each([0, Math.floor(file.length / 2), file.length - 1])(
    'refuses a file changed at byte %i',
    async (at) => {
      const changed = Buffer.from(file);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const { result } = fetchFile({ body: stream([changed]) });
      expect(await failure(result)).toMatchObject({ kind: 'permanent', failure: 'media' });
    },
  );

  test('refuses a file that is sealed well but is another one', async () => {
    const { result } = fetchFile({ pointer: { sha256: randomBytes(32) } });
    expect(await failure(result)).toMatchObject({ kind: 'permanent', failure: 'media' });
  });

  test('refuses a file that is cut off, or empty', async () => {
    for (const body of [file.subarray(0, 12), Buffer.alloc(0)]) {
      expect(await failure(fetchFile({ body: stream([body]) }).result)).toMatchObject({ kind: 'permanent' });
    }
  });

  test('stops reading at the limit, whatever the server claims', async () => {
    let chunks = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        chunks += 1;
        yield Buffer.alloc(16);
      }
    }
    expect(await failure(fetchFile({ body: endless() }).result)).toMatchObject({ kind: 'permanent' });
    expect(chunks).toBeLessThan(10);
    expect(await failure(fetchFile({ length: 10_000 }).result)).toMatchObject({ kind: 'permanent' });
  });

  test.each(['//evil.example/x', 'https://evil.example/x', 'http://media.example/x'])(
    'goes nowhere but to the network’s own server, also for %s',
    async (directPath) => {
      const { result, asked } = fetchFile({ pointer: { directPath } });
      expect(await failure(result)).toBeInstanceOf(NetworkError);
      expect(asked).toEqual([]);
    },
  );

  test('tells what is gone from what is out of reach', async () => {
    expect(await failure(fetchFile({ status: 410 }).result)).toMatchObject({ kind: 'not_found' });
    expect(await failure(fetchFile({ status: 503 }).result)).toMatchObject({ kind: 'transient' });
  });
});
