import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PIXELS_PER_MODULE = 6;

/** A QR code as the picture that this interface answers with. */
export function qrPicture(content: string): string {
  const { data, size } = encode(content, { border: 3 });
  const width = size * PIXELS_PER_MODULE;
  const rows: Buffer[] = [];
  for (const line of data) {
    const row = Buffer.alloc(width + 1, 0xff);
    row[0] = 0;
    for (const [at, dark] of line.entries()) {
      if (dark) row.fill(0, 1 + at * PIXELS_PER_MODULE, 1 + (at + 1) * PIXELS_PER_MODULE);
    }
    for (let copy = 0; copy < PIXELS_PER_MODULE; copy++) rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  // Eight bits, shades of grey.
  header[8] = 8;
  const png = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return `data:image/png;base64,${Buffer.concat([SIGNATURE, ...png]).toString('base64')}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
