import type { ByteReader } from '../byte-reader.ts';

/** What an MP4, MOV, M4A or 3GP file says of itself; absent where it does not. */
export interface Movie {
  /** Of the whole file. */
  readonly seconds?: number;
  /** Of the first track with pictures, as it is shown: turned, and with square pixels. */
  readonly width?: number;
  readonly height?: number;
  /** A JPEG or PNG that the file carries as its cover. */
  readonly cover?: Buffer;
}

interface Box {
  readonly type: string;
  /** First byte of its content, and the first after it. */
  readonly start: number;
  readonly end: number;
}

/** A hostile file may have any number of boxes; a phone's has some fifty. */
const MOST_BOXES = 4_096;
const LARGEST_COVER_BYTES = 4 * 1024 * 1024;
/** Versions and flags before the fields of a full box. */
const FLAGS_BYTES = 4;
const UNKNOWN_32 = 0xff_ff_ff_ff;

/** Reads headers only: a few hundred bytes of a file of any length. Undefined for anything but this family of containers. */
export function readMovie(reader: ByteReader): Movie | undefined {
  const boxes = createBoxes(reader);
  let isMovie = false;
  for (const box of boxes.in({ start: 0, end: reader.size })) {
    isMovie ||= box.type === 'ftyp' || box.type === 'moov';
    if (!isMovie && !LEADING.has(box.type)) return undefined;
    if (box.type === 'moov') return describe(reader, boxes, box);
  }
  return isMovie ? {} : undefined;
}

/** Boxes that old files have before the first that names the format. */
const LEADING = new Set(['free', 'skip', 'wide', 'mdat', 'pnot']);

type Boxes = ReturnType<typeof createBoxes>;

function createBoxes(reader: ByteReader) {
  let left = MOST_BOXES;

  function* inside({ start, end }: Pick<Box, 'start' | 'end'>): Generator<Box> {
    for (let at = start; at + 8 <= end && left > 0; left--) {
      const header = reader.read(at, 16);
      if (header.length < 8) return;
      const short = header.readUInt32BE(0);
      if (short === 1 && header.length < 16) return;
      const long = short === 1;
      const size = long ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
      const head = long ? 16 : 8;
      if (size < head) return;
      const type = header.toString('latin1', 4, 8);
      yield { type, start: at + head, end: Math.min(at + size, end) };
      at += size;
    }
  }

  return {
    in: inside,
    /** The first box at a path of types. */
    find(within: Box, ...types: readonly string[]): Box | undefined {
      let found: Box | undefined = within;
      for (const type of types) found = found && this.first(found, type);
      return found;
    },
    first(within: Pick<Box, 'start' | 'end'>, type: string): Box | undefined {
      for (const box of inside(within)) if (box.type === type) return box;
      return undefined;
    },
  };
}

function describe(reader: ByteReader, boxes: Boxes, moov: Box): Movie {
  let movie: Movie = {};
  for (const box of boxes.in(moov)) {
    if (box.type === 'mvhd') movie = { ...secondsIn(reader, box), ...movie };
    else if (box.type === 'trak') movie = { ...sizeOf(reader, boxes, box), ...movie };
    else if (box.type === 'udta') movie = { ...coverIn(reader, boxes, box), ...movie };
    else if (box.type === 'mvex') movie = { ...fragmentedSeconds(reader, boxes, moov, box), ...movie };
  }
  return movie;
}

function secondsIn(reader: ByteReader, box: Box): Pick<Movie, 'seconds'> {
  const fields = reader.read(box.start, 32);
  const isLong = fields[0] === 1;
  if (fields.length < (isLong ? 32 : 20)) return {};
  const scale = fields.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(fields.readBigUInt64BE(24)) : fields.readUInt32BE(16);
  if (scale === 0 || duration === 0 || (!isLong && duration === UNKNOWN_32)) return {};
  return { seconds: duration / scale };
}

/** The header of a fragmented file says 0, and its extension how long all fragments are. */
function fragmentedSeconds(reader: ByteReader, boxes: Boxes, moov: Box, mvex: Box): Pick<Movie, 'seconds'> {
  const [header, extension] = [boxes.first(moov, 'mvhd'), boxes.first(mvex, 'mehd')];
  if (!header || !extension) return {};
  const scales = reader.read(header.start, 24);
  const fields = reader.read(extension.start, 12);
  if (scales.length < 24 || fields.length < 8) return {};
  const scale = scales.readUInt32BE(scales[0] === 1 ? 20 : 12);
  const isLong = fields[0] === 1 && fields.length === 12;
  const duration = isLong ? Number(fields.readBigUInt64BE(FLAGS_BYTES)) : fields.readUInt32BE(FLAGS_BYTES);
  return scale > 0 && duration > 0 ? { seconds: duration / scale } : {};
}

function sizeOf(reader: ByteReader, boxes: Boxes, track: Box): Pick<Movie, 'width' | 'height'> {
  const handler = boxes.find(track, 'mdia', 'hdlr');
  const header = boxes.first(track, 'tkhd');
  if (!handler || !header) return {};
  if (reader.read(handler.start + FLAGS_BYTES + 4, 4).toString('latin1') !== 'vide') return {};
  const fields = reader.read(header.start, 96);
  const matrix = fields[0] === 1 ? 52 : 40;
  const shown = matrix + 36;
  if (fields.length < shown + 8) return {};
  // Sixteen bits before the point, sixteen behind it.
  const [wide, high] = [fields.readUInt32BE(shown) >>> 16, fields.readUInt32BE(shown + 4) >>> 16];
  const [width, height] = wide && high ? [wide, high] : storedSize(reader, boxes, track);
  if (!width || !height) return {};
  const isOnSide = fields.readInt32BE(matrix) === 0 && fields.readInt32BE(matrix + 4) !== 0;
  return isOnSide ? { width: height, height: width } : { width, height };
}

/** Of the pictures as they are coded, for tracks that do not say how they are shown. */
function storedSize(reader: ByteReader, boxes: Boxes, track: Box): readonly number[] {
  const table = boxes.find(track, 'mdia', 'minf', 'stbl', 'stsd');
  const entry = table && reader.read(table.start + FLAGS_BYTES + 4, 36);
  return entry?.length === 36 ? [entry.readUInt16BE(32), entry.readUInt16BE(34)] : [];
}

function coverIn(reader: ByteReader, boxes: Boxes, udta: Box): Pick<Movie, 'cover'> {
  const meta = boxes.first(udta, 'meta');
  const list = meta && boxes.first({ start: meta.start + FLAGS_BYTES, end: meta.end }, 'ilst');
  const data = list && boxes.find(list, 'covr', 'data');
  if (!data) return {};
  // Its type and its language come before the picture.
  const [start, length] = [data.start + 8, data.end - data.start - 8];
  return length > 0 && length <= LARGEST_COVER_BYTES ? { cover: reader.read(start, length) } : {};
}
