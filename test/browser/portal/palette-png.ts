import { crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * Shrinks a screenshot: 256 colours instead of millions. The most frequent colours stay exact; so does a rare one that is unlike
 * all others, such as the dot of a legend. The rest, mostly edges of glyphs, becomes the nearest of these. Reads what Chromium
 * writes: 8 bits per channel, not interlaced.
 */
export function withPalette(png: Buffer): Buffer {
  const { width, height, channels, data } = read(png);
  const pixels = unfilter(data, width * channels, height, channels);
  const colours = frequencies(pixels, channels);
  const palette = choosePalette([...colours.keys()]);
  const place = new Map([...colours.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel + Math.floor(pixel / width) + 1;
    rows[at] = place.get(colourAt(pixels, pixel * channels)) ?? 0;
  }
  const header = Buffer.from(png.subarray(16, 29));
  header.set([8, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => channelsOf(colour)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const PALETTE_MAX = 256;
const FREQUENT = 96;
/** Squared distance. Below it, two colours count as shades of one. */
const APART = 900;
const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

function read(png: Buffer): { width: number; height: number; channels: number; data: Buffer } {
  const channels = CHANNELS[png[25] ?? 0];
  if (channels === undefined || png[24] !== 8 || png[28] !== 0)
    throw new Error('not a PNG as Chromium writes it');
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
  }
  const data = inflateSync(Buffer.concat(parts));
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), channels, data };
}

/** Each row begins with the id of its filter. */
function unfilter(data: Buffer, rowBytes: number, height: number, step: number): Buffer {
  const out = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x >= step ? (out[at - step] ?? 0) : 0;
      const up = y > 0 ? (out[at - rowBytes] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (out[at - rowBytes - step] ?? 0) : 0;
      out[at] = (data[y * (rowBytes + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Most frequent first. */
function frequencies(pixels: Buffer, channels: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** Takes colours in order of frequency. */
function choosePalette(colours: readonly number[]): number[] {
  const palette = colours.slice(0, FREQUENT);
  for (const colour of colours.slice(FREQUENT)) {
    if (palette.length === PALETTE_MAX) break;
    if (palette.every((chosen) => distance(colour, chosen) > APART)) palette.push(colour);
  }
  const taken = new Set(palette);
  const rest = colours.filter((colour) => !taken.has(colour));
  return [...palette, ...rest.slice(0, PALETTE_MAX - palette.length)];
}

function colourAt(pixels: Buffer, at: number): number {
  return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
}

function channelsOf(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function nearest(colour: number, palette: readonly number[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, candidate] of palette.entries()) {
    const away = distance(colour, candidate);
    if (away < least) [best, least] = [index, away];
  }
  return best;
}

function distance(one: number, other: number): number {
  const [red, green, blue] = channelsOf(one);
  const [r, g, b] = channelsOf(other);
  return (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
