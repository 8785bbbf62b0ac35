import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { SNIFFED_BYTES, sniff } from '#egress';
import { fault, sealFile } from '#kernel';

export interface ComingFile {
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
  { bytes, maxBytes, cover, beyond }: ComingFile,
  file: string,
  key: Uint8Array,
): Promise<Taken> {
  const hash = createHash('sha256');
  let size = 0;
  let beginning = Buffer.alloc(0);

  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw fault(beyond);
      await cover(size);
      if (beginning.length < SNIFFED_BYTES)
        beginning = Buffer.concat([beginning, chunk]).subarray(0, SNIFFED_BYTES);
      hash.update(chunk);
      yield chunk;
    }
    if (size === 0) throw fault('media_empty');
  }

  await pipeline(
    sealFile(measured(), key),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { size, sha256: hash.digest('hex'), sniffed: sniff(beginning).mimetype };
}
