import { type ByteReader, bytesOf, withReader } from './byte-reader.ts';
import { readMovie } from './containers/boxes.ts';
import { readOpus } from './containers/ogg.ts';
import { readSoundSeconds } from './containers/sound.ts';
import type { FileKind, FileSource, FileTraits } from './job.ts';
import { describePicture, drawPlaceholder, THUMBNAIL_PIXELS } from './pictures/pictures.ts';
import { takeStill } from './still.ts';
import { drawWaveform } from './waveform.ts';

/** Longer is a claim, not a duration. */
const MOST_SECONDS = 7 * 86_400;

/** What a file says of itself, by its bytes. */
export async function describeFile(source: FileSource, as: FileKind, ffmpeg?: string): Promise<FileTraits> {
  switch (as) {
    case 'image':
    case 'sticker':
      return describePicture(await bytesOf(source));
    case 'video':
      return describeVideo(source, ffmpeg);
    case 'audio':
      return withReader(source, describeSound);
    case 'document':
      return {};
  }
}

async function describeSound(reader: ByteReader): Promise<FileTraits> {
  const opus = readOpus(reader);
  if (!opus) return whole(readMovie(reader)?.seconds ?? readSoundSeconds(reader));
  const waveform = await drawWaveform(opus);
  return { ...whole(opus.seconds), ...(waveform && { waveform }) };
}

async function describeVideo(source: FileSource, ffmpeg: string | undefined): Promise<FileTraits> {
  const movie = await withReader(source, readMovie);
  const { seconds, width, height, cover } = movie ?? {};
  const size = width && height ? { width, height } : {};
  const traits = { ...whole(seconds), ...size };
  const { thumbnail } = cover ? await describePicture(cover) : {};
  if (thumbnail) return { ...traits, thumbnail };
  const still =
    ffmpeg && typeof source === 'string'
      ? await takeStill(ffmpeg, source, THUMBNAIL_PIXELS)
      : 'not_installed';
  if (typeof still !== 'string') return { ...traits, thumbnail: still };
  if (!width || !height) return { ...traits, noStill: still };
  return { ...traits, thumbnail: await drawPlaceholder(width, height), noStill: still };
}

/** Phones show whole seconds, and none as nothing. */
function whole(seconds = 0): Pick<FileTraits, 'seconds'> {
  return seconds > 0 && seconds <= MOST_SECONDS ? { seconds: Math.max(1, Math.round(seconds)) } : {};
}
