import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { createSpool, type Downloaded, EgressError, type SpoolOptions } from '#egress';
import { createSemaphore } from '#kernel';
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

/** Lies in the spool until whoever fetched it disposes of it. */
export interface FetchedMedia extends FetchedFile, AsyncDisposable {}

/** Fetches files for the time that it takes to send them. */
export interface MediaSpool {
  /** Rejects with a `NetworkError`, `offline` when it was cancelled, and leaves nothing behind then. */
  fetch(need: MediaNeed, signal: AbortSignal): Promise<FetchedMedia>;
}

const DOWNLOAD_PATIENCE_MS = 60_000;
/** Each file lies on disk until it is on the network, so this also bounds the folder: to 2 GB. */
const FILES_AT_ONCE = 32;

export type MediaSpoolOptions = Pick<SpoolOptions, 'egress' | 'folder'>;

export function createMediaSpool(place: MediaSpoolOptions): MediaSpool {
  const limits = { maxBytes: OUTBOUND_MEDIA_MAX_BYTES, timeoutMs: DOWNLOAD_PATIENCE_MS };
  const spool = createSpool({ ...place, ...limits });
  const permits = createSemaphore(FILES_AT_ONCE);

  async function fetch(need: MediaNeed, signal: AbortSignal): Promise<FetchedMedia> {
    // The turn may have come too late.
    if (signal.aborted) throw cancelled();
    const spooled = await spool.fetch(need.url, signal).catch(asFailedSend);
    const { path, size, fileName } = spooled;
    try {
      return {
        file: { path, size, mimetype: checkedType(need, spooled) },
        fileName,
        async [Symbol.asyncDispose]() {
          try {
            await spooled[Symbol.asyncDispose]();
          } finally {
            permits.release();
          }
        },
      };
    } catch (error) {
      await spooled[Symbol.asyncDispose]();
      throw error;
    }
  }

  return {
    async fetch(need, signal) {
      await permits.acquire();
      return fetch(need, signal).catch((error: unknown) => {
        permits.release();
        throw error;
      });
    },
  };
}

function asFailedSend(cause: unknown): never {
  if (!(cause instanceof EgressError)) throw cause;
  if (cause.code === 'cancelled') throw cancelled(cause);
  throw mediaFailure(`The file could not be fetched: ${cause.message}`, cause);
}

function cancelled(cause?: unknown): NetworkError {
  return new NetworkError('offline', 'The file is not needed at this moment.', { cause });
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
  if (VAGUE_TYPES.has(mimetype) && PLAIN_TYPE.test(declaredType)) return declaredType;
  return mimetype.replace(/;.*$/, '');
}

function mediaFailure(text: string, cause?: unknown): NetworkError {
  return new NetworkError('permanent', text, { failure: 'media', cause });
}
