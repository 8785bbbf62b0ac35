import { createHash, createHmac } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { apiError, createSealedBox, type Random, type SealedBox, sealFile } from '#kernel';
import type { MediaRef } from '#network';
import { SNIFFED_BYTES, sniff } from '#platform/egress';
import type { MediaRow } from '#platform/store';

/** What is known of a file besides its bytes. */
export interface MediaDetails {
  readonly mimetype: string;
  /** Empty when it has none. */
  readonly fileName: string;
  /** Hex; empty while its bytes were never here. */
  readonly sha256: string;
  /** Where the network has it, when it came with a message. */
  readonly ref?: MediaRef;
}

function boxOf(accountKey: Uint8Array, random: Pick<Random, 'bytes'>): SealedBox {
  return createSealedBox({ masterKeys: [accountKey], random });
}

export function sealDetails(
  accountKey: Uint8Array,
  random: Pick<Random, 'bytes'>,
  id: string,
  details: MediaDetails,
): Uint8Array {
  return boxOf(accountKey, random).seal(Buffer.from(JSON.stringify(details)), `media ${id}`);
}

export function openDetails(
  accountKey: Uint8Array,
  random: Pick<Random, 'bytes'>,
  { id, details }: Pick<MediaRow, 'id' | 'details'>,
): MediaDetails {
  const plain = boxOf(accountKey, random).open(details, `media ${id}`);
  return JSON.parse(new TextDecoder().decode(plain));
}

/** By which the same file of an account is found again. */
export function fingerprintOf(accountKey: Uint8Array, sha256: string): Uint8Array {
  return createHmac('sha256', accountKey).update(`media ${sha256}`).digest();
}

export interface PendingFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
  /** Resolves when there is room for so many bytes of it. */
  readonly cover: (bytes: number) => Promise<void>;
  /** What to say of a larger one. */
  readonly beyond: 'upload_too_large' | 'media_beyond_limit';
}

export interface Taken {
  readonly size: number;
  readonly sha256: string;
  /** What its first bytes say that it is. */
  readonly sniffed: string;
}

/** Writes a file down sealed, as it comes; when this resolves, it is on the disk. */
export async function writeDown(
  { bytes, maxBytes, cover, beyond }: PendingFile,
  file: string,
  key: Uint8Array,
): Promise<Taken> {
  const hash = createHash('sha256');
  let size = 0;
  let beginning = Buffer.alloc(0);

  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw apiError(beyond);
      await cover(size);
      if (beginning.length < SNIFFED_BYTES)
        beginning = Buffer.concat([beginning, chunk]).subarray(0, SNIFFED_BYTES);
      hash.update(chunk);
      yield chunk;
    }
    if (size === 0) throw apiError('media_empty');
  }

  await pipeline(
    sealFile(measured(), key),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { size, sha256: hash.digest('hex'), sniffed: sniff(beginning).mimetype };
}
