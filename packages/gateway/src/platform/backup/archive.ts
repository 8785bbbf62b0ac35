import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  openFile,
  plainSize,
  type Random,
  type SealedBox,
  sealFile,
  UnopenableBox,
  UnopenableFile,
  unlessMissing,
} from '#kernel';

/**
 * File format of a backup. A short head holds the key of this backup, sealed under the master key; the rest is sealed in pieces under
 * that key, so nothing can be read, changed, left out or cut off without the master key. Inside, entries follow each other, each
 * behind its name and size; the last one lists the hashes of all others.
 */
const MAGIC = Buffer.from('PARLEY BACKUP 1\n');
const KEY_BYTES = 32;
const KEY_CONTEXT = 'key of a backup';
const MOST_HEAD_BYTES = 1_024;
const MOST_NAME_BYTES = 4_096;
const READ_BYTES = 256 * 1024;

/** Why a backup, a restore or a change of the master key fails, in one sentence for the operator. */
export class SafekeepingError extends Error {
  override readonly name = 'SafekeepingError';
}

interface Entry {
  readonly name: string;
  readonly size: number;
}

export interface SumEntry extends Entry {
  readonly sha256: string;
}

export interface Content extends Entry {
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Writes a backup. The file gets its name only after all of it is on the disk. */
export async function writeArchive(
  file: string,
  contents: AsyncIterable<Content>,
  { box, random }: { box: Pick<SealedBox, 'seal'>; random: Pick<Random, 'bytes'> },
): Promise<void> {
  const part = `${file}.part`;
  const key = random.bytes(KEY_BYTES);
  const sealedKey = box.seal(key, KEY_CONTEXT);
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield Buffer.concat([MAGIC, lengthOf(sealedKey.length), sealedKey]);
    yield* sealFile(framed(contents), key);
  }
  try {
    await pipeline(whole(), createWriteStream(part, { mode: 0o600, flush: true }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await using folder = await open(path.dirname(file));
  await folder.sync();
}

async function* framed(contents: AsyncIterable<Content>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, bytes } of contents) {
    const head = Buffer.from(JSON.stringify({ name, size }));
    yield Buffer.concat([lengthOf(head.length), head]);
    let left = size;
    for await (const chunk of bytes) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
    if (left !== 0) throw new SafekeepingError(`${name} changed while it was being backed up; try again`);
  }
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

/** What was read of an entry. Its bytes must be read before the next entry. */
export interface FoundEntry extends Entry {
  bytes(): AsyncIterable<Uint8Array>;
}

/** Reads the entries of a backup in their order. Throws a one-sentence error when the file cannot be opened or was altered. */
export async function* readArchive(file: string, box: Pick<SealedBox, 'open'>): AsyncGenerator<FoundEntry> {
  const { key, headBytes, sealedBytes } = await readHead(file, box);
  const size = plainSize(sealedBytes);
  const sealed = createReadStream(file, { start: headBytes, highWaterMark: READ_BYTES });
  const reader = createByteReader(openFile(sealed, { key, size, range: { from: 0, to: size } }));
  try {
    for (let left = size; left > 0; ) {
      const length = (await reader.exactly(4)).readUInt32BE();
      if (length > MOST_NAME_BYTES) throw new UnopenableFile('an entry has no name');
      const entry: Entry = JSON.parse((await reader.exactly(length)).toString());
      left -= 4 + length + entry.size;
      let read = false;
      yield {
        ...entry,
        async *bytes() {
          read = true;
          try {
            yield* reader.stream(entry.size);
          } catch (error) {
            throw refusal(file, error);
          }
        },
      };
      if (!read) for await (const _ of reader.stream(entry.size));
    }
    await reader.end();
  } catch (error) {
    throw refusal(file, error);
  } finally {
    sealed.destroy();
  }
}

function refusal(file: string, error: unknown): unknown {
  if (!(error instanceof UnopenableFile)) return error;
  return new SafekeepingError(
    `${file} is damaged or was not written to its end (${error.message}); take another backup`,
  );
}

async function readHead(
  file: string,
  box: Pick<SealedBox, 'open'>,
): Promise<{ key: Uint8Array; headBytes: number; sealedBytes: number }> {
  const found = await stat(file).catch(unlessMissing);
  if (!found) throw new SafekeepingError(`there is no file ${file}`);
  if (!found.isFile()) throw new SafekeepingError(`${file} is no file; name the backup itself`);
  const { size } = found;
  await using handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new SafekeepingError(`${file} cannot be read (${error.code})`);
  });
  const head = Buffer.alloc(Math.min(size, MAGIC.length + 4 + MOST_HEAD_BYTES));
  await handle.read(head, 0, head.length, 0);
  if (head.length < MAGIC.length + 4 || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SafekeepingError(`${file} is not a backup of Parley`);
  const start = MAGIC.length + 4;
  const headBytes = start + head.readUInt32BE(MAGIC.length);
  if (headBytes > head.length) throw new SafekeepingError(`${file} is not a backup of Parley`);
  try {
    const key = box.open(head.subarray(start, headBytes), KEY_CONTEXT);
    return { key, headBytes, sealedBytes: size - headBytes };
  } catch (error) {
    if (!(error instanceof UnopenableBox)) throw error;
    throw new SafekeepingError(
      `${file} does not open with this master key; set PARLEY_MASTER_KEY to that of the gateway that it was made of`,
    );
  }
}

/** Passes bytes on, and counts and hashes them. */
export function summed(bytes: AsyncIterable<Uint8Array>): {
  readonly bytes: AsyncIterable<Uint8Array>;
  sha256(): string;
} {
  const hash = createHash('sha256');
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { bytes: pass(), sha256: () => hash.digest('hex') };
}

/** Reads a stream of bytes in pieces, in order. */
interface ByteReader {
  /** For short pieces: they are held in memory whole. */
  exactly(count: number): Promise<Buffer>;
  stream(count: number): AsyncGenerator<Uint8Array>;
  /** Throws when there is more. */
  end(): Promise<void>;
}

function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();

  /** Returns up to `most` of the next bytes; none at the end. */
  async function some(most: number): Promise<Uint8Array> {
    while (held.length === 0) {
      const next = await chunks.next();
      if (next.done) return held;
      held = next.value;
    }
    const taken = held.subarray(0, most);
    held = held.subarray(taken.length);
    return taken;
  }

  async function* stream(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      const taken = await some(left);
      if (taken.length === 0) throw new UnopenableFile('its end is missing');
      left -= taken.length;
      yield taken;
    }
  }

  return {
    stream,
    async exactly(count) {
      const parts: Uint8Array[] = [];
      for await (const part of stream(count)) parts.push(part);
      return Buffer.concat(parts);
    },
    async end() {
      if ((await some(1)).length > 0) throw new UnopenableFile('there is more than was written');
    },
  };
}
