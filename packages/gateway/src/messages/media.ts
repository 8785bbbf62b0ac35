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
  /** Fetches, hands the file over, and removes it again whatever happens. Rejects with a `NetworkError`, `offline` when stopped. */
  withFile<T>(
    messageId: string,
    need: MediaNeed,
    use: (fetched: FetchedFile) => Promise<T>,
    stopping: AbortSignal,
  ): Promise<T>;
}

const DOWNLOAD_PATIENCE_MS = 60_000;
/** Each file lies on disk until it is on the network, so this also bounds the folder: to 1 GB. */
const FILES_AT_ONCE = 16;

export interface MediaSpoolOptions {
  /** Of this process alone; made when it is missing. */
  readonly folder: string;
  readonly egress: Pick<Egress, 'download'>;
}

export function createMediaSpool({ folder, egress }: MediaSpoolOptions): MediaSpool {
  mkdirSync(folder, { recursive: true });
  // Whatever is there was left by a process that died; its messages will be fetched again.
  for (const left of readdirSync(folder)) rmSync(path.join(folder, left), { force: true });
  const turns = createTurns(FILES_AT_ONCE);

  return {
    async withFile(messageId, need, use, stopping) {
      const toFile = path.join(folder, messageId);
      await turns.take();
      try {
        const downloaded = await fetchFile(egress, need, toFile, stopping);
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
  signal: AbortSignal,
): Promise<Downloaded> {
  try {
    const maxBytes = OUTBOUND_MEDIA_MAX_BYTES;
    return await egress.download(url, { toFile, maxBytes, timeoutMs: DOWNLOAD_PATIENCE_MS, signal });
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause;
    if (cause.code === 'cancelled') throw new NetworkError('offline', 'The gateway is stopping.', { cause });
    throw mediaFailure(`The file could not be fetched: ${cause.message}`, cause);
  }
}

/** Goes by what the bytes are; what the name or the server says counts for nothing. */
function checkedType({ as }: MediaNeed, downloaded: Downloaded): string {
  const { family, mimetype } = downloaded;
  if (as === 'document') return documentType(downloaded);
  if (as === 'sticker' ? mimetype === 'image/webp' : as === family) return mimetype;
  throw mediaFailure(`The file is ${mimetype}, not ${as === 'sticker' ? 'a WebP sticker' : as}.`);
}

/** Bytes that say nothing, or only how they were packed: text is plain, office documents are zip files. */
const VAGUE_TYPES = new Set(['application/octet-stream', 'application/zip']);
const PLAIN_TYPE = /^(?:text|application)\/[\w.+-]{1,100}$/;

/** Any file is a document; its type only tells the receiving phone what to open it with. */
function documentType({ mimetype, declaredType }: Downloaded): string {
  return VAGUE_TYPES.has(mimetype) && PLAIN_TYPE.test(declaredType) ? declaredType : mimetype;
}

function mediaFailure(text: string, cause?: unknown): NetworkError {
  return new NetworkError('permanent', text, { failure: 'media', cause });
}
