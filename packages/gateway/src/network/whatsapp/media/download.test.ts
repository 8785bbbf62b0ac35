import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { getMediaKeys } from 'baileys';
import { describe, expect, test } from 'vitest';
import { NetworkError } from '../../errors.ts';
import { download, openStream } from './download.ts';
import type { MediaPointer } from './media-ref.ts';
import type { MediaTransport } from './request.ts';

const plain = Buffer.from('the bytes of a picture');

async function sealed(mediaKey: Buffer, bytes = plain): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'image');
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
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
  const transport: Pick<MediaTransport, 'get'> = {
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
  test('decrypts what its sender encrypted', async () => {
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

  test('refuses another file that is validly encrypted', async () => {
    const { result } = fetchFile({ pointer: { sha256: randomBytes(32) } });
    expect(await failure(result)).toMatchObject({ kind: 'permanent', failure: 'media' });
  });

  test('refuses a truncated or empty file', async () => {
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
    'requests the network’s own server only, also for %s',
    async (directPath) => {
      const { result, asked } = fetchFile({ pointer: { directPath } });
      expect(await failure(result)).toBeInstanceOf(NetworkError);
      expect(asked).toEqual([]);
    },
  );

  test('distinguishes missing files from unreachable servers', async () => {
    expect(await failure(fetchFile({ status: 410 }).result)).toMatchObject({ kind: 'not_found' });
    expect(await failure(fetchFile({ status: 503 }).result)).toMatchObject({ kind: 'transient' });
  });
});

describe('a stream', () => {
  const request = (body: AsyncIterable<Uint8Array>, over: Partial<MediaPointer> = {}) => ({
    pointer: { ...pointer, ...over },
    host: 'media.example',
    transport: { get: async () => ({ status: 200, body }) },
    maxBytes: 10_000_000,
    signal: new AbortController().signal,
  });

  test('streams a file as it arrives, and holds back only a block and the MAC', async () => {
    const large = randomBytes(3_000_000);
    const key = randomBytes(32);
    const sealedLarge = await sealed(key, large);
    let given = 0;
    async function* inPieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < sealedLarge.length; at += 50_000) {
        const piece = sealedLarge.subarray(at, at + 50_000);
        given += piece.length;
        yield piece;
      }
    }
    const hash = createHash('sha256').update(large).digest();
    const chunks: Uint8Array[] = [];
    let [read, mostHeld] = [0, 0];
    for await (const chunk of await openStream(request(inPieces(), { mediaKey: key, sha256: hash }))) {
      read += chunk.length;
      mostHeld = Math.max(mostHeld, given - read);
      chunks.push(chunk);
    }
    expect(Buffer.concat(chunks).equals(large)).toBe(true);
    expect(mostHeld).toBeLessThan(50_000);
  });

  test('reports at the end that the content was wrong', async () => {
    const changed = Buffer.from(file);
    changed.writeUInt8(changed.readUInt8(3) ^ 1, 3);
    const read = async () => {
      for await (const _ of await openStream(request(stream([changed]))));
    };
    expect(await failure(read())).toMatchObject({ kind: 'permanent', failure: 'media' });
  });

  test('counts a server as unreachable when it stops sending', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield file.subarray(0, 16);
      throw new Error('other side closed');
    }
    const read = async () => {
      for await (const _ of await openStream(request(broken())));
    };
    expect(await failure(read())).toMatchObject({ kind: 'transient' });
  });
});
