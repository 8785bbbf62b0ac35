import type { ByteReader } from '../byte-reader.ts';

/** Seconds of an MP3, WAV or FLAC file, by its headers; undefined for anything else. */
export function readSoundSeconds(reader: ByteReader): number | undefined {
  const start = reader.read(0, 12);
  if (start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WAVE') {
    return wavSeconds(reader);
  }
  if (start.toString('latin1', 0, 4) === 'fLaC') return flacSeconds(reader.read(8, 34));
  return mp3Seconds(reader);
}

const MOST_CHUNKS = 1_000;

function wavSeconds(reader: ByteReader): number | undefined {
  let bytesPerSecond = 0;
  for (let at = 12, chunks = 0; chunks < MOST_CHUNKS; chunks++) {
    const header = reader.read(at, 8);
    if (header.length < 8) return undefined;
    const size = header.readUInt32LE(4);
    const type = header.toString('latin1', 0, 4);
    if (type === 'fmt ') {
      const fields = reader.read(at + 8, 16);
      if (fields.length < 16) return undefined;
      bytesPerSecond = fields.readUInt32LE(8);
    } else if (type === 'data') {
      // A program that writes into a pipe does not know the size.
      return bytesPerSecond > 0 ? Math.min(size, reader.size - at - 8) / bytesPerSecond : undefined;
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function flacSeconds(stream: Buffer): number | undefined {
  if (stream.length < 34) return undefined;
  const rate = stream.readUIntBE(10, 3) >> 4;
  const samples = (stream.readUInt8(13) & 15) * 2 ** 32 + stream.readUInt32BE(14);
  return rate > 0 && samples > 0 ? samples / rate : undefined;
}

const ID3_BYTES = 10;
/** A frame starts right behind the tags, apart from some filling. */
const MOST_FILLING_BYTES = 64 * 1024;

function mp3Seconds(reader: ByteReader): number | undefined {
  const tag = reader.read(0, ID3_BYTES);
  const isTagged = tag.length === ID3_BYTES && tag.toString('latin1', 0, 3) === 'ID3';
  // Seven bits a byte, so that no size looks like the start of a frame.
  const tagged = isTagged
    ? ID3_BYTES + tag.subarray(6).reduce((size, byte) => size * 128 + (byte & 0x7f), 0)
    : 0;
  const bytes = reader.read(tagged, MOST_FILLING_BYTES);
  for (let at = 0; at + 4 <= bytes.length; at++) {
    const frame = frameAt(bytes, at);
    // The next frame says whether this is one.
    if (!frame || (at + frame.size + 4 <= bytes.length && !frameAt(bytes, at + frame.size))) continue;
    const frames = countIn(bytes.subarray(at, at + 200), frame);
    if (frames > 0) return (frames * frame.samples) / frame.rate;
    return ((reader.size - tagged - at) * 8) / frame.bitRate;
  }
  return undefined;
}

interface Frame {
  readonly samples: number;
  readonly rate: number;
  readonly bitRate: number;
  readonly size: number;
  /** Bytes before the count of a file whose bit rate varies. */
  readonly head: number;
}

const KBITS = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = [44_100, 48_000, 32_000];

/** A frame of MPEG 1, 2 or 2.5, layer 3. */
function frameAt(bytes: Buffer, at: number): Frame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (first !== 0xff || (second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3;
  const isFirst = version === 3;
  const kbits = KBITS[isFirst ? 1 : 2][third >> 4] ?? 0;
  const rate = (RATES[(third >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4);
  if (version === 1 || kbits === 0 || rate === 0) return undefined;
  const samples = isFirst ? 1_152 : 576;
  const size = Math.floor((samples * 125 * kbits) / rate) + ((third >> 1) & 1);
  const isMono = fourth >> 6 === 3;
  const side = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  return { samples, rate, bitRate: kbits * 1_000, size, head: 4 + side };
}

/** Frames of the file, where its first frame counts them. */
function countIn(frame: Buffer, { head }: Frame): number {
  const name = frame.toString('latin1', head, head + 4);
  if ((name === 'Xing' || name === 'Info') && frame.length >= head + 12) {
    return (frame.readUInt32BE(head + 4) & 1) === 1 ? frame.readUInt32BE(head + 8) : 0;
  }
  const isCounted = frame.toString('latin1', 36, 40) === 'VBRI' && frame.length >= 54;
  return isCounted ? frame.readUInt32BE(50) : 0;
}
