import { type MediaType, OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { apiError, apiErrorFrom } from '#kernel';
import type { GivenFile, MediaAccess, MediaLibrary } from '#media';
import type { MediaFile } from '#network';
import { createSpool, EgressError, type SpoolOptions } from '#platform/egress';
import type { Caller } from '#platform/http';

/** Shorter than an action may take, so that a slow file and a slow network give different errors. */
const DOWNLOAD_WITHIN_MS = 15_000;

/** A URL, or a file stored for an account. */
type LendSource = { readonly url: string } | { readonly accountId: string; readonly mediaId: string };

interface WantedFile {
  readonly from: LendSource;
  /** Field of the request. */
  readonly field: string;
  /** The type that the file must have; any file is a document. */
  readonly type: MediaType;
}

export interface SharedFile extends MediaFile {
  /** From the download; empty when it has none. */
  readonly fileName: string;
}

/** Fetches files for the duration of one action. */
export interface TempFiles {
  /** Passes the file to `use` and removes it afterwards in any case. Rejects with an `ApiError` for the caller. */
  lend<T>(wanted: WantedFile, use: (file: SharedFile) => Promise<T>): Promise<T>;
}

export function createTempFiles({
  library,
  ...place
}: Pick<SpoolOptions, 'egress' | 'folder'> & {
  library: Pick<MediaLibrary, 'find' | 'read'>;
}): TempFiles {
  const limits = { maxBytes: OUTBOUND_MEDIA_MAX_BYTES, timeoutMs: DOWNLOAD_WITHIN_MS };
  const spool = createSpool({ ...place, ...limits });

  async function hold(accountId: string, mediaId: string) {
    const media = await library.find(accountId, mediaId);
    if (!media) throw apiError('media_not_found');
    return spool.hold({ ...media, bytes: await library.read(media, { from: 0, to: media.size }) });
  }

  return {
    async lend({ from, field, type }, use) {
      await using fetched = await ('url' in from
        ? spool.fetch(from.url).catch(inPublicWords)
        : hold(from.accountId, from.mediaId));
      const { path, family, mimetype, size, fileName } = fetched;
      if (type !== 'document' && family !== type) throw apiError('media_of_another_type', { field, type });
      return await use({ path, size, mimetype, fileName });
    },
  };
}

function inPublicWords(error: unknown): never {
  if (!(error instanceof EgressError)) throw error;
  throw apiErrorFrom(error, error.code === 'too_large' ? 'media_too_large' : 'media_unavailable');
}

/** A stored file and the field in which it was given, as sent to the host of the number. */
export interface KeptSource {
  readonly mediaId: string;
  readonly field: 'media_id' | 'media_base64';
}

/** A new picture, in the same form. An empty URL removes the current one. */
export type NewPicture = { readonly imageUrl: string } | KeptSource;

/** Stores the file first when it came with the request; undefined when it is given otherwise, or absent. */
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

/** Passes the picture to `use`, or null to remove the current one. */
export function sharePicture<T>(
  files: TempFiles,
  accountId: string,
  picture: NewPicture,
  use: (image: SharedFile | null) => Promise<T>,
): Promise<T> {
  if ('mediaId' in picture) {
    const { mediaId, field } = picture;
    return files.lend({ from: { accountId, mediaId }, field, type: 'image' }, use);
  }
  const { imageUrl: url } = picture;
  return url === '' ? use(null) : files.lend({ from: { url }, field: 'image_url', type: 'image' }, use);
}
