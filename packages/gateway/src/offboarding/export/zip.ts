import { Readable } from 'node:stream';
import { constants, crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive, of unknown size until it is written. */
export type ZipEntry = UnpackedEntry | PackedEntry;

interface UnpackedEntry {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Stored without compression, which costs time and gains nothing for pictures and films. */
  readonly asItIs?: true;
}

/** Packed before by `deflated`, at once or in parts. */
interface PackedEntry {
  readonly name: string;
  readonly deflated: AsyncIterable<Uint8Array>;
  readonly crc: number;
  readonly size: number;
}

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Sizes follow the content; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** The format's first day, in place of the time of each file. */
const DAY = 0x0021;
/** An empty last block after packed bytes without an end. */
const END_OF_DEFLATED = Buffer.from([0x03, 0x00]);

/**
 * Streams a ZIP archive: each file is packed while it is read, without buffering. Up to 4 GiB and 65,535 files, the
 * limit of the plain format.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let offset = 0;
  const counted = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    return bytes;
  };
  for await (const entry of entries) {
    const start = offset;
    const encoded = Buffer.from(entry.name);
    yield counted(
      Buffer.concat([
        head(LOCAL, [VERSION, FLAGS, DEFLATE, 0, DAY], [0, 0, 0]),
        lengths(encoded, 1),
        encoded,
      ]),
    );
    let { crc, size } = 'crc' in entry ? entry : { crc: 0, size: 0 };
    let packed = 0;
    async function* measured(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        yield chunk;
      }
    }
    const chunks = 'crc' in entry ? entry.deflated : deflated(measured(entry.bytes), entry);
    for await (const chunk of chunks) {
      packed += chunk.length;
      yield counted(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    }
    if ('crc' in entry) {
      packed += END_OF_DEFLATED.length;
      yield counted(END_OF_DEFLATED);
    }
    yield counted(head(DESCRIPTOR, [], [crc, packed, size]));
    written.push({ name: encoded, crc, packed, size, offset: start });
  }
  const directory = offset;
  for (const { name, crc, packed, size, offset: at } of written) {
    const fields = head(CENTRAL, [VERSION, VERSION, FLAGS, DEFLATE, 0, DAY], [crc, packed, size]);
    yield counted(Buffer.concat([fields, lengths(name, 2), Buffer.alloc(8), word(at), name]));
  }
  const length = offset - directory;
  const count = written.length;
  yield head(END, [0, 0, count, count], [length, directory]);
  yield Buffer.alloc(2);
}

/** Packed bytes; with `goesOn` they have no end, so that more can follow. */
export async function* deflated(
  bytes: AsyncIterable<Uint8Array>,
  { asItIs, goesOn }: { readonly asItIs?: true; readonly goesOn?: true } = {},
): AsyncGenerator<Buffer> {
  const source = Readable.from(bytes, { objectMode: false });
  const deflate = createDeflateRaw({
    level: asItIs ? constants.Z_NO_COMPRESSION : constants.Z_DEFAULT_COMPRESSION,
    finishFlush: goesOn ? constants.Z_SYNC_FLUSH : constants.Z_FINISH,
  });
  source.once('error', (error) => deflate.destroy(error));
  yield* source.pipe(deflate);
}

function head(signature: number, shorts: readonly number[], words: readonly number[]): Buffer {
  return Buffer.concat([word(signature), ...shorts.map(short), ...words.map(word)]);
}

/** Length of the name, and of the other parts, which are empty. */
function lengths(name: Buffer, others: number): Buffer {
  return Buffer.concat([short(name.length), Buffer.alloc(2 * others)]);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
