import type { Caller } from '#http';
import type { MediaAccess } from '#media';
import type { LentFile, TempFiles } from './temp-files.ts';

/** A new picture, as it travels to the host of the number. An empty URL takes the old one away. */
export type NewPicture =
  | { readonly imageUrl: string }
  | { readonly mediaId: string; readonly field: 'media_id' | 'media_base64' };

interface GivenPicture {
  readonly image_url?: string;
  readonly media_id?: string;
  readonly media_base64?: string;
  readonly mimetype?: string;
}

/** Keeps the picture first where it came with the request. */
export async function newPicture(
  media: Pick<MediaAccess, 'idOf'>,
  caller: Caller,
  given: GivenPicture,
): Promise<NewPicture> {
  const mediaId = await media.idOf(caller, given);
  if (mediaId === undefined) return { imageUrl: given.image_url ?? '' };
  return { mediaId, field: given.media_id === undefined ? 'media_base64' : 'media_id' };
}

/** Hands the picture to `use`, or null when the old one is to be taken away. */
export function lendPicture<T>(
  files: TempFiles,
  accountId: string,
  picture: NewPicture,
  use: (image: LentFile | null) => Promise<T>,
): Promise<T> {
  if ('mediaId' in picture) {
    const { mediaId, field } = picture;
    return files.lend({ from: { accountId, mediaId }, field, type: 'image' }, use);
  }
  const { imageUrl: url } = picture;
  return url === '' ? use(null) : files.lend({ from: { url }, field: 'image_url', type: 'image' }, use);
}
