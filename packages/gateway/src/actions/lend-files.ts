import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type MediaType, OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { type Egress, EgressError } from '#egress';
import { fault, faultBecause } from '#kernel';
import type { MediaFile } from '#network';

/** Shorter than an action may take, so that a slow file is told from a slow network. */
const DOWNLOAD_WITHIN_MS = 15_000;

export interface WantedFile {
  readonly url: string;
  /** Where the caller wrote the URL. */
  readonly field: string;
  /** What the file must really be; anything at all is a document. */
  readonly type: MediaType;
}

export interface LentFile extends MediaFile {
  /** From the download; empty when it has none. */
  readonly fileName: string;
}

/** Fetches files for the time of one action. */
export interface FileLender {
  /** Hands the file to `use` and takes it away again however that ends. Rejects with the fault that the caller should see. */
  lend<T>(wanted: WantedFile, use: (file: LentFile) => Promise<T>): Promise<T>;
}

export function createFileLender({
  egress,
  folder,
}: {
  egress: Pick<Egress, 'download'>;
  folder: string;
}): FileLender {
  // Whatever is there was left by a process that died in the middle of an action.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  async function fetchTo(path: string, { url, field, type }: WantedFile): Promise<LentFile> {
    const limits = { maxBytes: OUTBOUND_MEDIA_MAX_BYTES, timeoutMs: DOWNLOAD_WITHIN_MS };
    const downloaded = await egress.download(url, { toFile: path, ...limits }).catch(inPublicWords);
    const { family, mimetype, size, fileName } = downloaded;
    if (type !== 'document' && family !== type) throw fault('media_of_another_type', { field, type });
    return { path, size, mimetype, fileName };
  }

  return {
    async lend(wanted, use) {
      const shelf = await mkdtemp(join(folder, 'lent-'));
      try {
        return await use(await fetchTo(join(shelf, 'file'), wanted));
      } finally {
        await rm(shelf, { recursive: true, force: true });
      }
    },
  };
}

function inPublicWords(error: unknown): never {
  if (!(error instanceof EgressError)) throw error;
  throw faultBecause(error, error.code === 'too_large' ? 'media_too_large' : 'media_unavailable');
}
