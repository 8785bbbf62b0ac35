import type { PictureHeader } from './header.ts';
import type { Pixels } from './scale.ts';

const LARGEST_TABLE = 4_096;

/** Decodes the first frame; undefined when there is none. */
export function decodeGif(bytes: Uint8Array, { width, height }: PictureHeader): Pixels | undefined {
  const at = (place: number): number => bytes[place] ?? 0;
  const short = (place: number): number => at(place) | (at(place + 1) << 8);
  const colours = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let place = 13;
  let palette = bytes.subarray(place, place + colours(at(10)));
  place += palette.length;
  let clear = -1;
  for (; place < bytes.length; ) {
    const block = at(place);
    if (block === 0x21) {
      if (at(place + 1) === 0xf9 && at(place + 3) & 1) clear = at(place + 6);
      for (place += 2; at(place) > 0; ) place += at(place) + 1;
      place++;
      continue;
    }
    if (block !== 0x2c) return undefined;
    const frame = {
      left: short(place + 1),
      top: short(place + 3),
      width: short(place + 5),
      height: short(place + 7),
    };
    const flags = at(place + 9);
    place += 10;
    if (flags & 0x80) palette = bytes.subarray(place, place + colours(flags));
    place += colours(flags);
    if (frame.left + frame.width > width || frame.top + frame.height > height) return undefined;
    const indexes = unpack(bytes, place, frame.width * frame.height);
    const data = new Uint8ClampedArray(width * height * 4);
    const rows = flags & 0x40 ? interlaced(frame.height) : undefined;
    indexes.forEach((index, pixel) => {
      if (index === clear) return;
      const row = Math.floor(pixel / frame.width);
      const y = frame.top + (rows?.[row] ?? row);
      const to = (y * width + frame.left + (pixel % frame.width)) * 4;
      data.set(palette.subarray(index * 3, index * 3 + 3), to);
      data[to + 3] = 255;
    });
    return { width, height, data };
  }
  return undefined;
}

/** Order in which the rows of an interlaced frame are stored. */
function interlaced(height: number): readonly number[] {
  const passes = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const;
  return passes.flatMap(([from, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - from) / step)) }, (_, row) => from + row * step),
  );
}

/** LZW with codes of growing width; what is missing at the end stays 0. */
function unpack(bytes: Uint8Array, start: number, count: number): Uint8Array {
  const indexes = new Uint8Array(count);
  const smallest = Math.min(bytes[start] ?? 0, 8);
  const clear = 1 << smallest;
  const prefix = new Uint16Array(LARGEST_TABLE);
  const suffix = new Uint8Array(LARGEST_TABLE);
  const stack = new Uint8Array(LARGEST_TABLE + 1);
  let [size, next, previous, first] = [smallest + 1, clear + 2, -1, 0];
  let [bits, held, written] = [0, 0, 0];
  let place = start + 1;
  let left = bytes[place++] ?? 0;
  while (written < count) {
    while (held < size) {
      if (left === 0) left = bytes[place++] ?? 0;
      if (left === 0 || place >= bytes.length) return indexes;
      bits |= (bytes[place++] ?? 0) << held;
      held += 8;
      left--;
      if (left === 0) left = bytes[place++] ?? 0;
    }
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    held -= size;
    if (code === clear) {
      [size, next, previous] = [smallest + 1, clear + 2, -1];
      continue;
    }
    if (code === clear + 1 || code > next || (previous < 0 && code >= clear)) return indexes;
    let depth = 0;
    let walk = code;
    if (code === next) {
      stack[depth++] = first;
      walk = previous;
    }
    while (walk > clear && depth < LARGEST_TABLE) {
      stack[depth++] = suffix[walk] ?? 0;
      walk = prefix[walk] ?? 0;
    }
    first = walk;
    stack[depth++] = first;
    while (depth > 0 && written < count) indexes[written++] = stack[--depth] ?? 0;
    if (previous >= 0 && next < LARGEST_TABLE) {
      prefix[next] = previous;
      suffix[next++] = first;
      if (next === 1 << size && size < 12) size++;
    }
    previous = code;
  }
  return indexes;
}
