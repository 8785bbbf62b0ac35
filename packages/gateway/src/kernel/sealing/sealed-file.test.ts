import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fileKey, openFile, sealedRange, sealedSize, sealFile, UnopenableFile } from './sealed-file.ts';

const PIECE = 64 * 1024;
const SEALED_PIECE = PIECE + 16;
const key = fileKey(randomBytes(32), 'object');

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return buffer(chunks);
}

async function open(
  sealed: Buffer,
  size: number,
  range = { from: 0, to: size },
  under = key,
): Promise<Buffer> {
  const { from, to } = sealedRange(range, size);
  return all(openFile(inChunks(sealed.subarray(from, to), 10_000), { key: under, size, range }));
}

describe.each([1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 7])('a file of %i bytes', (size) => {
  const plain = randomBytes(size);

  it('is read back unchanged, whatever the chunks', async () => {
    for (const chunk of [1_000, PIECE, 1_000_000]) {
      const sealed = await all(sealFile(inChunks(plain, chunk), key));
      expect(sealed.length).toBe(sealedSize(size));
      expect(sealed.includes(plain.subarray(0, 32)) && size > 32).toBe(false);
      expect((await open(sealed, size)).equals(plain)).toBe(true);
    }
  });

  it('can be read in parts', async () => {
    const sealed = await all(sealFile(inChunks(plain, PIECE), key));
    for (const at of [0, 1, PIECE - 1, PIECE, PIECE + 1, size - 1].filter((each) => each < size)) {
      for (const to of [at + 1, Math.min(at + PIECE + 2, size), size]) {
        const part = await open(sealed, size, { from: at, to });
        expect(part.equals(plain.subarray(at, to)), `${at} to ${to}`).toBe(true);
      }
    }
  });
});

describe('what was sealed does not open', () => {
  const size = 3 * PIECE + 7;
  const plain = randomBytes(size);
  const sealing = all(sealFile(inChunks(plain, PIECE), key));
  const piece = (sealed: Buffer, place: number): Buffer =>
    sealed.subarray(place * SEALED_PIECE, (place + 1) * SEALED_PIECE);

  it.each<[string, (sealed: Buffer) => Buffer, number?]>([
    [
      'with a byte changed',
      (sealed) => Buffer.concat([Buffer.from([(sealed[0] ?? 0) ^ 1]), sealed.subarray(1)]),
    ],
    [
      'with pieces swapped',
      (sealed) => Buffer.concat([piece(sealed, 1), piece(sealed, 0), sealed.subarray(2 * SEALED_PIECE)]),
    ],
    [
      'with a piece repeated',
      (sealed) => Buffer.concat([piece(sealed, 0), piece(sealed, 0), sealed.subarray(2 * SEALED_PIECE)]),
    ],
    ['without its end', (sealed) => sealed.subarray(0, 3 * SEALED_PIECE)],
    ['cut within a piece', (sealed) => sealed.subarray(0, -1)],
    [
      'truncated at a piece, though the size was changed as well',
      (sealed) => sealed.subarray(0, 3 * SEALED_PIECE),
      3 * PIECE,
    ],
    ['empty', () => Buffer.alloc(0)],
  ])('%s', async (_how, bend, claimed = size) => {
    await expect(open(bend(await sealing), claimed)).rejects.toThrow(UnopenableFile);
  });

  it('as another object, nor for another account', async () => {
    for (const other of [fileKey(randomBytes(32), 'object'), fileKey(key, 'another')])
      await expect(open(await sealing, size, undefined, other)).rejects.toThrow(UnopenableFile);
  });
});
