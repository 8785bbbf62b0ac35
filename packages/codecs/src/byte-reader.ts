import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CodecError, type FileSource } from './job.ts';

/** Random access to a file of any size; only the ranges that are asked for are in memory. */
export interface ByteReader {
  readonly size: number;
  /** Shorter than asked where the file ends. */
  read(at: number, length: number): Buffer;
}

const LARGEST_WHOLE_BYTES = 64 * 1024 * 1024;

/** Opens a file for as long as `use` runs. Reads block, so this runs in the codecs' own thread only. */
export async function withReader<T>(
  source: FileSource,
  use: (reader: ByteReader) => Promise<T> | T,
): Promise<T> {
  if (typeof source !== 'string') return use(readerOf(source));
  const file = openFile(source);
  try {
    const size = fstatSync(file).size;
    return await use({
      size,
      read(at, length) {
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
        return bytes.subarray(0, bytes.length > 0 ? readSync(file, bytes, 0, bytes.length, at) : 0);
      },
    });
  } finally {
    closeSync(file);
  }
}

/** The whole file, for decoders that need it at once. */
export async function bytesOf(source: FileSource): Promise<Uint8Array> {
  if (typeof source !== 'string') return source;
  return withReader(source, (reader) => {
    if (reader.size > LARGEST_WHOLE_BYTES) throw new CodecError('too_large');
    return reader.read(0, reader.size);
  });
}

function readerOf(source: Uint8Array): ByteReader {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new CodecError('unreadable', { cause });
  }
}
