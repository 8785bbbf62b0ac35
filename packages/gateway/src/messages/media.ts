import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { type Downloaded, type Egress, EgressError } from '#egress';
import { createTurns } from '#kernel';
import { type MediaFile, NetworkError } from '#network';

/** A file that a message needs, and as what it will be shown. */
export interface MediaNeed {
  readonly url: string;
  readonly as: 'image' | 'video' | 'audio' | 'document' | 'sticker';
}

export interface FetchedFile {
  readonly file: MediaFile;
  /** As the URL or its server calls it; empty when neither does. */
  readonly fileName: string;
}

/** Fetches files into a folder of their own: they pass through it, nothing stays. */
export interface MediaSpool {
  /** Fetches, hands the file over, and removes it again whatever happens. Rejects with a `NetworkError`. */
  withFile<T>(messageId: string, need: MediaNeed, use: (fetched: FetchedFile) => Promise<T>): Promise<T>;
}

const DOWNLOAD_PATIENCE_MS = 60_000;
/** Large files pass through disk, but each open connection still costs memory. */
const DOWNLOADS_AT_ONCE = 8;

export function createMediaSpool({
  folder,
  egress,
}: {
  folder: string;
  egress: Pick<Egress, 'download'>;
}): MediaSpool {
  mkdirSync(folder, { recursive: true });
  // Whatever is there was left by a process that died; its messages will be fetched again.
  for (const left of readdirSync(folder)) rmSync(path.join(folder, left), { force: true });
  const turns = createTurns(DOWNLOADS_AT_ONCE);

  return {
    async withFile(messageId, need, use) {
      const toFile = path.join(folder, messageId);
      await turns.take();
      try {
        const downloaded = await fetchFile(egress, need, toFile);
        const file = { path: toFile, size: downloaded.size, mimetype: checkedType(need, downloaded) };
        return await use({ file, fileName: downloaded.fileName });
      } finally {
        turns.giveBack();
        await rm(toFile, { force: true });
      }
    },
  };
}

async function fetchFile(
  egress: Pick<Egress, 'download'>,
  { url }: MediaNeed,
  toFile: string,
): Promise<Downloaded> {
  try {
    const maxBytes = OUTBOUND_MEDIA_MAX_BYTES;
    return await egress.download(url, { toFile, maxBytes, timeoutMs: DOWNLOAD_PATIENCE_MS });
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause;
    throw new NetworkError('permanent', `The file could not be fetched: ${cause.message}`, {
      failure: 'media',
      cause,
    });
  }
}

/** Goes by what the bytes are; what the name or the server says counts for nothing. */
function checkedType({ as }: MediaNeed, { family, mimetype }: Downloaded): string {
  const fits = as === 'sticker' ? mimetype === 'image/webp' : as === 'document' || as === family;
  if (fits) return mimetype;
  throw new NetworkError(
    'permanent',
    `The file is ${mimetype}, not ${as === 'sticker' ? 'a WebP sticker' : as}.`,
    {
      failure: 'media',
    },
  );
}
