import { bytesOf } from '../byte-reader.ts';
import { CodecError, type FileSource, type FileTraits } from '../job.ts';
import { decodePicture, encodeJpeg } from './formats.ts';
import { LARGEST_PICTURE_PIXELS, type PictureHeader, readPictureHeader } from './header.ts';
import { type Area, type Pixels, scale, turn } from './scale.ts';

/** What phones show before they have downloaded a picture. */
export const THUMBNAIL_PIXELS = 100;
const THUMBNAIL_QUALITY = 60;
const SQUARE_QUALITY = 85;

/** Size and thumbnail; the thumbnail is missing where the picture is too large or cannot be decoded. */
export async function describePicture(bytes: Uint8Array): Promise<FileTraits> {
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
  const [wide, high] = thumbnailSize(width, height);
  const small = scale(pixels, { left: 0, top: 0, width, height }, wide, high);
  return encodeJpeg(turn(small, orientation), THUMBNAIL_QUALITY);
}

function thumbnailSize(width: number, height: number): readonly [number, number] {
  const factor = Math.min(1, THUMBNAIL_PIXELS / Math.max(width, height));
  return [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))];
}

const GROUND = [0x3b, 0x42, 0x48, 0xff];
const MARK = [0xf0, 0xf2, 0xf4, 0xff];

/** A triangle in the middle, in the shape of a video that cannot be decoded. */
export async function drawPlaceholder(width: number, height: number): Promise<Uint8Array> {
  const [wide, high] = thumbnailSize(width, height);
  const data = new Uint8ClampedArray(wide * high * 4);
  const side = Math.min(wide, high) / 4;
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const [right, down] = [x - wide / 2 + side / 2, Math.abs(y - high / 2)];
      const isMark = right >= 0 && right <= side && down <= (side - right) / 2;
      data.set(isMark ? MARK : GROUND, (y * wide + x) * 4);
    }
  }
  return encodeJpeg({ width: wide, height: high, data }, THUMBNAIL_QUALITY);
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
