import { crc32, deflateSync } from 'node:zlib';

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** The same picture in each format, made by other encoders: 32 × 16, red on the left, blue on the right, a green corner on the top left. */
export const FLAG = {
  jpeg: base64(
    '/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQACADAREAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAcGCP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAYAQEBAAMAAAAAAAAAAAAAAAAJAAcICv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AN20fHE45ZtdOCBHGDoJL6DkxYkgRxg6CT//2Q==',
  ),
  webp: base64(
    'UklGRl4AAABXRUJQVlA4IFIAAACQAwCdASogABAAAMASJaACdMoRwN4B+AH7Af0DkAuwH7AAVtIAAP700v/+sE//q7P//qzj//dMZr8R6H/8sFOlapOX/SHvWcvB+CsG8UAVwAAA',
  ),
  'lossless webp': base64('UklGRjQAAABXRUJQVlA4TCcAAAAvH8ADABcgEEjaH3qN+RcQFPk/2vwHXwoEAoRJk1YNRPQ/tAC+ugEA'),
  gif: base64(
    'R0lGODlhIAAQAIEAAExpcQD/AP8AAAAA/yH5BAUAAAAALAAAAAAgABAAAAI4jG+iq+MP40CIMYkfPXblvCWd8GFhMJJldKYrG7qvFo/zk8p3bt8D3/H9gBcfsbg7NoxKVVIpLAAAOw==',
  ),
};

/** A JPEG in the colours of print. */
export const CMYK = base64(
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/8AAFAgAEAAgBEMRAE0RAFkRAEsRAP/EABcAAQEBAQAAAAAAAAAAAAAAAAAIBgf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oADgRDAE0AWQBLAAA/ANS6c5g6c0qYgTa0qnQAUkzSYgATa0qnQAf/2Q==',
);

/** The flag with Exif's orientation, in either byte order. */
export function turnedFlag(orientation: number, order: 'II' | 'MM' = 'II'): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write(order, 'latin1');
  const short = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  short(42, 2);
  if (order === 'II') tiff.writeUInt32LE(8, 4);
  else tiff.writeUInt32BE(8, 4);
  for (const [place, value] of [1, 0x0112, 3].entries()) short(value, 8 + place * 2);
  if (order === 'II') tiff.writeUInt32LE(1, 14);
  else tiff.writeUInt32BE(1, 14);
  short(orientation, 18);
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([FLAG.jpeg.subarray(0, 2), head, content, FLAG.jpeg.subarray(2)]);
}

/** A grey PNG; without rows it only claims its size. */
export function greyPng(width: number, height: number, hasRows = true): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const rows = hasRows ? Buffer.alloc((width + 1) * height, 0x80) : Buffer.alloc(0);
  for (let row = 0; hasRows && row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
