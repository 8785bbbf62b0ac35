import { type MediaType, OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { createSpool, EgressError, type SpoolOptions } from '#egress';
import { fault, faultBecause } from '#kernel';
import type { MediaLibrary } from '#media';
import type { MediaFile } from '#network';

/** Shorter than an action may take, so that a slow file is told from a slow network. */
const DOWNLOAD_WITHIN_MS = 15_000;

/** Somebody's address, or a file that is kept for an account. */
type LendSource = { readonly url: string } | { readonly accountId: string; readonly mediaId: string };

interface WantedFile {
  readonly from: LendSource;
  /** Where the caller wrote it. */
  readonly field: string;
  /** What the file must really be; anything at all is a document. */
  readonly type: MediaType;
}

export interface LentFile extends MediaFile {
  /** From the download; empty when it has none. */
  readonly fileName: string;
}

/** Fetches files for the time of one action. */
export interface TempFiles {
  /** Hands the file to `use` and takes it away again however that ends. Rejects with the fault that the caller should see. */
  lend<T>(wanted: WantedFile, use: (file: LentFile) => Promise<T>): Promise<T>;
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
    if (!media) throw fault('media_not_found');
    return spool.hold({ ...media, bytes: await library.read(media, { from: 0, to: media.size }) });
  }

  return {
    async lend({ from, field, type }, use) {
      await using fetched = await ('url' in from
        ? spool.fetch(from.url).catch(inPublicWords)
        : hold(from.accountId, from.mediaId));
      const { path, family, mimetype, size, fileName } = fetched;
      if (type !== 'document' && family !== type) throw fault('media_of_another_type', { field, type });
      return await use({ path, size, mimetype, fileName });
    },
  };
}

function inPublicWords(error: unknown): never {
  if (!(error instanceof EgressError)) throw error;
  throw faultBecause(error, error.code === 'too_large' ? 'media_too_large' : 'media_unavailable');
}
