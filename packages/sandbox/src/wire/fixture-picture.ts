import { crc32, deflateSync } from 'node:zlib';

/** For tests only: a square PNG of noise, which hardly compresses. */
export function noisyPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0], 8); // 8-bit greyscale
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: side }, (_, row) => line(side, row))))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function line(side: number, row: number): Buffer {
  const noise = Array.from({ length: side }, (_, column) => crc32(`${row} ${column}`) & 0xff);
  return Buffer.from([0, ...noise]); // no filter
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
