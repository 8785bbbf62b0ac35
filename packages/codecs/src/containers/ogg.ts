import type { ByteReader } from '../byte-reader.ts';

/** Opus in Ogg, as phones record voice messages. */
export interface OpusFile {
  readonly seconds: number;
  readonly channels: number;
  /** Packets in their order, with their time in the file. */
  packets(): Generator<OpusPacket>;
}

interface OpusPacket {
  readonly bytes: Buffer;
  readonly seconds: number;
}

interface Page {
  readonly serial: number;
  /** Time of its end in samples; -1 on a page without the end of a packet. */
  readonly granule: bigint;
  readonly lengths: Buffer;
  readonly start: number;
  readonly end: number;
}

const HEADER_BYTES = 27;
const LARGEST_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;
/** Opus counts its time at this rate, whatever it codes. */
const SAMPLES_PER_SECOND = 48_000;
/** Voices of an hour have some 4,000 pages. */
const MOST_PAGES = 100_000;
/** More is no packet of one frame of a voice. */
const LARGEST_PACKET_BYTES = 8 * 1024;

export function readOpus(reader: ByteReader): OpusFile | undefined {
  const first = readPage(reader, 0);
  if (!first) return undefined;
  const head = reader.read(first.start, Math.min(19, first.end - first.start));
  if (head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead') return undefined;
  const { serial } = first;
  const seconds = (Number(lastGranule(reader, serial)) - head.readUInt16LE(10)) / SAMPLES_PER_SECOND;
  // Other mappings than the first have a table of streams, which no phone writes.
  const channels = head[18] === 0 ? (head[9] ?? 0) : 0;
  return { seconds, channels, packets: () => packetsOf(reader, serial) };
}

function readPage(reader: ByteReader, at: number): Page | undefined {
  const header = reader.read(at, HEADER_BYTES + 255);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 4) !== 'OggS') return undefined;
  const lengths = header.subarray(HEADER_BYTES, HEADER_BYTES + (header[26] ?? 0));
  const start = at + HEADER_BYTES + (header[26] ?? 0);
  const size = lengths.reduce((sum, length) => sum + length, 0);
  if (start + size > reader.size) return undefined;
  return {
    serial: header.readUInt32LE(14),
    granule: header.readBigInt64LE(6),
    ...{ lengths, start, end: start + size },
  };
}

/** The last page of the stream is in the last 64 KB, because no page is longer. */
function lastGranule(reader: ByteReader, serial: number): bigint {
  const start = Math.max(0, reader.size - 2 * LARGEST_PAGE_BYTES);
  const tail = reader.read(start, 2 * LARGEST_PAGE_BYTES);
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at > 0 ? tail.lastIndexOf('OggS', at - 1) : -1) {
    if (at + HEADER_BYTES > tail.length) continue;
    const granule = tail.readBigInt64LE(at + 6);
    if (tail.readUInt32LE(at + 14) === serial && granule >= 0n) return granule;
  }
  return 0n;
}

/** Joins the segments of a packet, also over the end of a page; skips the two headers. */
function* packetsOf(reader: ByteReader, serial: number): Generator<OpusPacket> {
  let parts: Buffer[] = [];
  let size = 0;
  let count = 0;
  let samples = 0;
  let page = readPage(reader, 0);
  for (let pages = 0; page && pages < MOST_PAGES; pages++) {
    const content = page.serial === serial ? reader.read(page.start, page.end - page.start) : Buffer.alloc(0);
    let at = 0;
    for (const length of content.length > 0 ? page.lengths : []) {
      size += length;
      if (size <= LARGEST_PACKET_BYTES) parts.push(content.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      if (count++ >= 2 && size > 0 && size <= LARGEST_PACKET_BYTES) {
        const bytes = Buffer.concat(parts);
        yield { bytes, seconds: samples / SAMPLES_PER_SECOND };
        samples += samplesIn(bytes);
      }
      [parts, size] = [[], 0];
    }
    page = readPage(reader, page.end);
  }
}

/** Milliseconds of a frame, by the configuration in the first five bits of a packet. */
const FRAME_MS = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
];

function samplesIn(packet: Buffer): number {
  const [first = 0, second = 0] = packet;
  const code = first & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : second & 0x3f;
  return frames * (FRAME_MS[first >> 3] ?? 0) * (SAMPLES_PER_SECOND / 1_000);
}
