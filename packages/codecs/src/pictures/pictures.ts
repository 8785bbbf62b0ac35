import { readFile } from 'node:fs/promises';
import { CodecError, type FileSource, type FileTraits } from '../job.ts';
import { decodePicture, encodeJpeg } from './formats.ts';
import { LARGEST_PICTURE_PIXELS, type PictureHeader, readPictureHeader } from './header.ts';
import { type Area, type Pixels, scale, turn } from './scale.ts';

/** What phones show before they have downloaded a picture. */
const THUMBNAIL_PIXELS = 100;
const THUMBNAIL_QUALITY = 60;
const SQUARE_QUALITY = 85;

/** Size and thumbnail; the thumbnail is missing where the picture is too large or cannot be decoded. */
export async function describePicture(source: FileSource): Promise<FileTraits> {
  const bytes = await bytesOf(source);
  const header = readPictureHeader(bytes);
  if (!header) return {};
  const [width, height] =
    header.orientation >= 5 ? [header.height, header.width] : [header.width, header.height];
  try {
    return { width, height, thumbnail: await thumbnailOf(bytes, header) };
  } catch (error) {
    if (error instanceof CodecError) return { width, height };
    throw error;
  }
}

async function thumbnailOf(bytes: Uint8Array, header: PictureHeader): Promise<Uint8Array> {
  const { pixels, orientation } = await decoded(bytes, header);
  const { width, height } = pixels;
  const factor = Math.min(1, THUMBNAIL_PIXELS / Math.max(width, height));
  const [wide, high] = [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
  const small = scale(pixels, { left: 0, top: 0, width, height }, wide, high);
  return encodeJpeg(turn(small, orientation), THUMBNAIL_QUALITY);
}

export async function squarePicture(source: FileSource, side: number): Promise<Uint8Array> {
  const { pixels, orientation } = await decoded(await bytesOf(source));
  const small = scale(pixels, middleOf(pixels), side, side);
  return encodeJpeg(turn(small, orientation), SQUARE_QUALITY);
}

function middleOf({ width, height }: Pixels): Area {
  const side = Math.min(width, height);
  return { left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side };
}

async function bytesOf(source: FileSource): Promise<Uint8Array> {
  if (typeof source !== 'string') return source;
  return readFile(source).catch((cause: unknown) => {
    throw new CodecError('unreadable', { cause });
  });
}

async function decoded(
  bytes: Uint8Array,
  header = readPictureHeader(bytes),
): Promise<{ readonly pixels: Pixels; readonly orientation: number }> {
  if (!header) throw new CodecError('unreadable');
  if (header.width * header.height > LARGEST_PICTURE_PIXELS) throw new CodecError('too_large');
  const pixels = await decodePicture(bytes, header);
  // A decoder that finds another size than the header has read another picture.
  if (pixels.width !== header.width || pixels.height !== header.height) throw new CodecError('unreadable');
  return { pixels, orientation: header.orientation };
}
