import { crc32, deflateRawSync } from 'node:zlib';

interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Midnight of the format's first day: the same files give the same archive. */
const DATE = 0x0021;
const DEFLATED = 8;
const VERSION = 20;

/** A zip archive of a few small files. */
export function zip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content);
    const title = Buffer.from(name);
    // The fields that the local header and the directory share: version, flags, method, time, date, checksum, sizes, lengths.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(VERSION, 0);
    facts.writeUInt16LE(DEFLATED, 4);
    facts.writeUInt16LE(DATE, 8);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, title, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), version(), facts, rest, title]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}

function version(): Buffer {
  const made = Buffer.alloc(2);
  made.writeUInt16LE(VERSION, 0);
  return made;
}
