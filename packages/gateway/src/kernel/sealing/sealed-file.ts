import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/**
 * File format of the media store and of backups: pieces of 64 KiB, each sealed separately (AES-256-GCM), so that any part can be read
 * without the rest.
 * A piece is sealed with its index in the file and a flag for the last one: swapped, repeated, missing or truncated pieces do not
 * open. Every file has its own key, which is never reused.
 */
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_PIECE_BYTES = PIECE_BYTES + TAG_BYTES;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';

export class UnopenableFile extends Error {
  override readonly name = 'UnopenableFile';
}

/** Key of a file of an account. */
export function fileKey(accountKey: Uint8Array, objectId: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', accountKey, objectId, 'parley media file', 32));
}

export function sealedSize(size: number): number {
  return size + Math.ceil(size / PIECE_BYTES) * TAG_BYTES;
}

/** Plain size of a sealed file of this size. */
export function plainSize(sealed: number): number {
  return sealed - Math.ceil(sealed / SEALED_PIECE_BYTES) * TAG_BYTES;
}

/** Seals a stream; never holds more than two pieces of it. */
export async function* sealFile(
  plain: AsyncIterable<Uint8Array>,
  key: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let place = 0;
  let held = Buffer.alloc(0);
  for await (const chunk of plain) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    // Holds a full piece back until it is known whether it is the last one.
    while (held.length > PIECE_BYTES) {
      yield sealPiece(held.subarray(0, PIECE_BYTES), key, place++, false);
      held = held.subarray(PIECE_BYTES);
    }
  }
  yield sealPiece(held, key, place, true);
}

function sealPiece(plain: Uint8Array, key: Uint8Array, place: number, isLast: boolean): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(place, isLast));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(place, NONCE_BYTES - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}

/** `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The bytes of the sealed file to read for a part of the plain one. */
export function sealedRange({ from, to }: ByteRange, size: number): ByteRange {
  const end = Math.ceil(to / PIECE_BYTES) * SEALED_PIECE_BYTES;
  return { from: firstPiece(from) * SEALED_PIECE_BYTES, to: Math.min(end, sealedSize(size)) };
}

function firstPiece(from: number): number {
  return Math.floor(from / PIECE_BYTES);
}

/** Opens the range that `sealedRange` returns. Throws before it yields anything of an altered piece. */
export async function* openFile(
  sealed: AsyncIterable<Uint8Array>,
  { key, size, range }: { key: Uint8Array; size: number; range: ByteRange },
): AsyncGenerator<Uint8Array> {
  let place = firstPiece(range.from);
  const lastPlace = Math.ceil(size / PIECE_BYTES) - 1;
  const pieces = Math.ceil(range.to / PIECE_BYTES);
  for await (const piece of inPieces(sealed)) {
    if (place >= pieces) throw new UnopenableFile('there is more than was sealed');
    const plain = openPiece(piece, key, place, place === lastPlace);
    const start = place * PIECE_BYTES;
    yield plain.subarray(Math.max(range.from - start, 0), Math.min(range.to - start, plain.length));
    place += 1;
  }
  if (place !== pieces) throw new UnopenableFile('its end is missing');
}

async function* inPieces(sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of sealed) {
    held.push(chunk);
    length += chunk.length;
    if (length < SEALED_PIECE_BYTES) continue;
    let rest = Buffer.concat(held);
    for (; rest.length >= SEALED_PIECE_BYTES; rest = rest.subarray(SEALED_PIECE_BYTES)) {
      yield rest.subarray(0, SEALED_PIECE_BYTES);
    }
    held = rest.length > 0 ? [rest] : [];
    length = rest.length;
  }
  if (length > 0) yield Buffer.concat(held);
}

function openPiece(piece: Buffer, key: Uint8Array, place: number, isLast: boolean): Buffer {
  if (piece.length <= TAG_BYTES) throw new UnopenableFile('a piece is cut off');
  const decipher = createDecipheriv(CIPHER, key, nonceOf(place, isLast));
  decipher.setAuthTag(piece.subarray(-TAG_BYTES));
  try {
    const plain = decipher.update(piece.subarray(0, -TAG_BYTES));
    decipher.final();
    return plain;
  } catch (cause) {
    throw new UnopenableFile('a piece is not what was sealed here', { cause });
  }
}
