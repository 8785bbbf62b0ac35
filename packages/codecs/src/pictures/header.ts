/** A bomb is a small file of many pixels: the size is read, and refused, before anything is decoded. */
export const LARGEST_PICTURE_PIXELS = 25_000_000;

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface PictureHeader {
  readonly format: PictureFormat;
  /** As stored, before it is turned. */
  readonly width: number;
  readonly height: number;
  /** Exif's 1 to 8: how a viewer turns it. */
  readonly orientation: number;
}

/** Reads format and size from the first bytes of a picture; undefined for anything else. */
export function readPictureHeader(file: Uint8Array): PictureHeader | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const text = (at: number, length: number) => bytes.toString('latin1', at, at + length);
  if (text(0, 3) === '\xff\xd8\xff') return readJpeg(bytes);
  if (bytes.length < 30) return undefined;
  if (text(0, 8) === '\x89PNG\r\n\x1a\n' && text(12, 4) === 'IHDR') {
    return sized('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  }
  if (/^GIF8[79]a/.test(text(0, 6))) return sized('gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return readWebp(bytes, text(12, 4));
  return undefined;
}

function sized(
  format: PictureFormat,
  width: number,
  height: number,
  orientation = 1,
): PictureHeader | undefined {
  return width > 0 && height > 0 ? { format, width, height, orientation } : undefined;
}

function readWebp(bytes: Buffer, chunk: string): PictureHeader | undefined {
  if (chunk === 'VP8X') return sized('webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (chunk === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return sized('webp', (bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
  }
  return sized('webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
}

/** Walks the segments up to the frame, whose markers are C0 to CF without three tables. */
function readJpeg(bytes: Buffer): PictureHeader | undefined {
  let orientation = 1;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes, and markers without a segment.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return sized('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5), orientation);
    }
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xe1)
      orientation = readOrientation(bytes.subarray(at + 4, at + 2 + length)) ?? orientation;
    at += 2 + length;
  }
  return undefined;
}

const ORIENTATION_TAG = 0x0112;

function readOrientation(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0' || segment.length < 16) return undefined;
  const tiff = segment.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (start + 2 > tiff.length) return undefined;
  const entries = short(start);
  for (let entry = 0; entry < entries; entry++) {
    const at = start + 2 + entry * 12;
    if (at + 12 > tiff.length) return undefined;
    if (short(at) !== ORIENTATION_TAG) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
