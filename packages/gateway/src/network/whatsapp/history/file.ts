import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { getMediaKeys } from 'baileys';
import { property } from '../errors.ts';
import { damaged, type FileRequest, MAC_BYTES, reached, requestFile, tooLarge } from '../media/request.ts';

/** History file of a phone. It can be read several times; the caller that opened it disposes of it. */
export interface PackedHistory extends AsyncDisposable {
  /** Passes on the unpacked content piece by piece, each after the one before was processed. */
  read(onPiece: (piece: Uint8Array) => Promise<void>): Promise<void>;
}

/** Limit against decompression bombs. */
const MOST_UNPACKED_BYTES = 4 * 1024 ** 3;

/** A small history, embedded in its notification. */
export function inlineHistory(packed: Uint8Array): PackedHistory {
  return {
    read: (onPiece) => unpack(Readable.from([packed]), new PassThrough(), onPiece),
    async [Symbol.asyncDispose]() {},
  };
}

interface SealedHistory extends FileRequest {
  readonly mediaKey: Uint8Array;
  /** Folder for the file, which stays sealed, under a random name. */
  readonly folder: string;
}

/**
 * Fetches a history of any size through the disk: its bytes may be used only after the whole file was checked
 * against its MAC, and it is too large for memory.
 */
export async function fetchHistory({ mediaKey, folder, ...request }: SealedHistory): Promise<PackedHistory> {
  const shelf = await mkdtemp(join(folder, 'history-'));
  const clear = (): Promise<void> => rm(shelf, { recursive: true, force: true });
  try {
    const path = join(shelf, 'sealed');
    const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');
    if (!macKey) throw damaged();
    const body = await requestFile(request);
    const size = await reached(keepChecked({ body, path, iv, macKey, maxBytes: request.maxBytes }));
    return {
      read: (onPiece) =>
        unpack(
          createReadStream(path, { end: size - 1 }),
          createDecipheriv('aes-256-cbc', cipherKey, iv),
          onPiece,
        ),
      [Symbol.asyncDispose]: clear,
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

interface SealedBody {
  readonly body: AsyncIterable<Uint8Array>;
  readonly path: string;
  readonly iv: Uint8Array;
  readonly macKey: Uint8Array;
  readonly maxBytes: number;
}

/** Returns the number of bytes before the MAC. */
async function keepChecked({ body, path, iv, macKey, maxBytes }: SealedBody): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    const hmac = createHmac('sha256', macKey).update(iv);
    /** The newest bytes, which may be the MAC. */
    let tail: Uint8Array = new Uint8Array(0);
    let size = 0;
    for await (const chunk of body) {
      const whole = Buffer.concat([tail, chunk]);
      const sure = whole.subarray(0, Math.max(0, whole.length - MAC_BYTES));
      tail = whole.subarray(sure.length);
      size += sure.length;
      if (size > maxBytes) throw tooLarge();
      hmac.update(sure);
      await file.writeFile(sure);
    }
    const mac = hmac.digest().subarray(0, MAC_BYTES);
    if (size === 0 || tail.length !== MAC_BYTES || !timingSafeEqual(mac, tail)) throw damaged();
    return size;
  } finally {
    await file.close();
  }
}

async function unpack(
  source: Readable,
  opener: Transform,
  onPiece: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  let size = 0;
  async function show(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > MOST_UNPACKED_BYTES) throw tooLarge();
      await onPiece(piece);
    }
  }
  try {
    await pipeline(source, opener, createInflate(), show);
  } catch (error) {
    throw isOfTheBytes(error) ? damaged() : error;
  }
}

/** Names of zlib errors, and of OpenSSL errors for a file that was not sealed under this key. */
function isOfTheBytes(error: unknown): boolean {
  return /^(Z_|ERR_OSSL_)/.test(String(property(error, 'code')));
}
