import { type MediaType, OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { createSpool, EgressError, type SpoolOptions } from '#egress';
import { fault, faultBecause } from '#kernel';
import type { MediaFile } from '#network';

/** Shorter than an action may take, so that a slow file is told from a slow network. */
const DOWNLOAD_WITHIN_MS = 15_000;

interface WantedFile {
  readonly url: string;
  /** Where the caller wrote the URL. */
  readonly field: string;
  /** What the file must really be; anything at all is a document. */
  readonly type: MediaType;
}

interface LentFile extends MediaFile {
  /** From the download; empty when it has none. */
  readonly fileName: string;
}

/** Fetches files for the time of one action. */
export interface TempFiles {
  /** Hands the file to `use` and takes it away again however that ends. Rejects with the fault that the caller should see. */
  lend<T>(wanted: WantedFile, use: (file: LentFile) => Promise<T>): Promise<T>;
}

export function createTempFiles(place: Pick<SpoolOptions, 'egress' | 'folder'>): TempFiles {
  const limits = { maxBytes: OUTBOUND_MEDIA_MAX_BYTES, timeoutMs: DOWNLOAD_WITHIN_MS };
  const spool = createSpool({ ...place, ...limits });

  return {
    async lend({ url, field, type }, use) {
      await using fetched = await spool.fetch(url).catch(inPublicWords);
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
