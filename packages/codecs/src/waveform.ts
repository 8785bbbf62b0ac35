import type { OpusFile } from './containers/ogg.ts';

/** Columns of the picture that a phone draws of a voice message, each from 0 to 100. */
const COLUMNS = 64;
const HIGHEST = 100;
/** Bounds the time of hours of voice: of each column only its first packets are decoded. */
const MOST_PACKETS_PER_COLUMN = 250;
/** Loudness needs no more. */
const SAMPLE_RATE = 8_000;
/** What the decoder takes at once, per channel. */
const LARGEST_PACKET_BYTES = 3_840;

interface Column {
  packets: number;
  samples: number;
  sum: number;
}

/** Undefined where the file has no samples, or others than Opus. */
export async function drawWaveform(file: OpusFile): Promise<Uint8Array | undefined> {
  const { channels, seconds } = file;
  if (!(seconds > 0) || channels < 1 || channels > 2) return undefined;
  const { OpusDecoder } = await import('opus-decoder');
  const decoder = new OpusDecoder({ sampleRate: SAMPLE_RATE, channels });
  await decoder.ready;
  const columns = Array.from({ length: COLUMNS }, (): Column => ({ packets: 0, samples: 0, sum: 0 }));
  try {
    for (const { bytes, seconds: at } of file.packets()) {
      const column = columns[columnAt(at / seconds)];
      if (!column || column.packets++ >= MOST_PACKETS_PER_COLUMN) continue;
      if (bytes.length > LARGEST_PACKET_BYTES * channels) return undefined;
      const { channelData, samplesDecoded, errors } = decoder.decodeFrame(bytes);
      if (errors.length > 0) return undefined;
      if (samplesDecoded > 0) addLoudness(columns, channelData[0] ?? NO_SAMPLES, at, seconds);
    }
  } finally {
    decoder.free();
  }
  const loudness = columns.map(({ sum, samples }) => (samples > 0 ? sum / samples : 0));
  const loudest = Math.max(...loudness);
  return loudest > 0
    ? Uint8Array.from(loudness, (each) => Math.round((HIGHEST * each) / loudest))
    : undefined;
}

const NO_SAMPLES = new Float32Array();
const columnAt = (part: number): number => Math.min(COLUMNS - 1, Math.floor(part * COLUMNS));

/** A packet of a short message is longer than a column. */
function addLoudness(columns: readonly Column[], samples: Float32Array, at: number, seconds: number): void {
  for (const [place, sample] of samples.entries()) {
    const column = columns[columnAt((at + place / SAMPLE_RATE) / seconds)];
    if (!column) continue;
    column.samples += 1;
    column.sum += Math.abs(sample);
  }
}
