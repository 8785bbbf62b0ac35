/** Pixels of four bytes: red, green, blue, opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Contributions of source lines to one output line. */
interface Taps {
  readonly first: number;
  readonly weights: readonly number[];
}

const WHITE = 255;
const CHANNELS = 3;

/**
 * Scales a part of a picture on white, with a triangle filter. Each source row is scaled once and added to the output rows that
 * it touches, so that only the output is held. Of a much larger picture two pixels for each of the output count.
 */
export function scale(source: Pixels, area: Area, width: number, height: number): Pixels {
  const stride = Math.max(1, Math.floor(Math.min(area.width / width, area.height / height) / 2));
  const [wide, high] = [Math.ceil(area.width / stride), Math.ceil(area.height / stride)];
  const columns = tapsOf(wide, width);
  const rows = tapsOf(high, height);
  const sums = new Float32Array(width * height * CHANNELS);
  const line = new Float32Array(width * CHANNELS);
  let begin = 0;
  for (let y = 0; y < high; y++) {
    while (endOf(rows[begin]) <= y) begin++;
    scaleRow(source, ((area.top + y * stride) * source.width + area.left) * 4, stride * 4, columns, line);
    for (let row = begin; row < height; row++) {
      const { first, weights } = rows[row] ?? NO_TAPS;
      if (first > y) break;
      const weight = weights[y - first] ?? 0;
      const at = row * line.length;
      for (let place = 0; place < line.length; place++) {
        sums[at + place] = (sums[at + place] ?? 0) + weight * (line[place] ?? 0);
      }
    }
  }
  const data = new Uint8ClampedArray(width * height * 4).fill(WHITE);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      data[pixel * 4 + channel] = sums[pixel * CHANNELS + channel] ?? 0;
    }
  }
  return { width, height, data };
}

const NO_TAPS: Taps = { first: Number.POSITIVE_INFINITY, weights: [] };
const endOf = (taps: Taps = NO_TAPS): number => taps.first + taps.weights.length;

function tapsOf(from: number, to: number): readonly Taps[] {
  const step = from / to;
  const reach = Math.max(1, step);
  return Array.from({ length: to }, (_, place) => {
    const centre = (place + 0.5) * step;
    const first = Math.max(0, Math.ceil(centre - reach - 0.5));
    const end = Math.min(from, Math.floor(centre + reach - 0.5) + 1);
    const raw = Array.from({ length: end - first }, (_unused, tap) =>
      Math.max(0, 1 - Math.abs(first + tap + 0.5 - centre) / reach),
    );
    const total = raw.reduce((sum, weight) => sum + weight, 0);
    return { first, weights: raw.map((weight) => weight / total) };
  });
}

function scaleRow(
  { data }: Pixels,
  start: number,
  step: number,
  columns: readonly Taps[],
  line: Float32Array,
): void {
  let place = 0;
  for (const { first, weights } of columns) {
    let [red, green, blue] = [0, 0, 0];
    let at = start + first * step;
    for (const weight of weights) {
      const opacity = (data[at + 3] ?? WHITE) / WHITE;
      const ground = WHITE * (1 - opacity);
      red += weight * ((data[at] ?? 0) * opacity + ground);
      green += weight * ((data[at + 1] ?? 0) * opacity + ground);
      blue += weight * ((data[at + 2] ?? 0) * opacity + ground);
      at += step;
    }
    line[place++] = red;
    line[place++] = green;
    line[place++] = blue;
  }
}

/** Turns and mirrors as Exif's orientation asks. */
export function turn({ width, height, data }: Pixels, orientation: number): Pixels {
  if (orientation === 1) return { width, height, data };
  const isOnSide = orientation >= 5;
  const [wide, high] = isOnSide ? [height, width] : [width, height];
  const turned = new Uint8ClampedArray(data.length);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const [along, down] = isOnSide ? [y, x] : [x, y];
      const column = [2, 3, 7, 8].includes(orientation) ? width - 1 - along : along;
      const row = [3, 4, 6, 7].includes(orientation) ? height - 1 - down : down;
      const from = (row * width + column) * 4;
      turned.set(data.subarray(from, from + 4), (y * wide + x) * 4);
    }
  }
  return { width: wide, height: high, data: turned };
}
