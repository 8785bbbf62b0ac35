import type { Caller } from '#http';
import type { GivenFile, MediaAccess } from '#media';
import type { LentFile, TempFiles } from './temp-files.ts';

/** A file that is kept here, and by which field it was given, as it travels to the host of the number. */
export interface KeptSource {
  readonly mediaId: string;
  readonly field: 'media_id' | 'media_base64';
}

/** A new picture, in the same way. An empty URL takes the old one away. */
export type NewPicture = { readonly imageUrl: string } | KeptSource;

/** Keeps the file first where it came with the request; undefined when it is given otherwise, or not at all. */
export async function keptSource(
  media: Pick<MediaAccess, 'idOf'>,
  caller: Caller,
  given: GivenFile,
): Promise<KeptSource | undefined> {
  const mediaId = await media.idOf(caller, given);
  if (mediaId === undefined) return undefined;
  return { mediaId, field: given.media_id === undefined ? 'media_base64' : 'media_id' };
}

interface GivenPicture extends GivenFile {
  readonly image_url?: string;
}

export async function newPicture(
  media: Pick<MediaAccess, 'idOf'>,
  caller: Caller,
  given: GivenPicture,
): Promise<NewPicture> {
  return (await keptSource(media, caller, given)) ?? { imageUrl: given.image_url ?? '' };
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
