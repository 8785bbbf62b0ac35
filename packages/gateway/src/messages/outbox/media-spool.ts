import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { ApiError, type Clock, createSemaphore, isMediaType, UNKNOWN_MEDIA_TYPE } from '#kernel';
import type { MediaLibrary } from '#media';
import { type MediaFile, NetworkError } from '#network';
import { createSpool, type Downloaded, EgressError, type SpoolOptions } from '#platform/egress';

/** A file that a message needs, and how it is shown. */
export interface MediaNeed {
  readonly from: FileSource;
  readonly as: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  /** Name that the sender gives to a document. */
  readonly name?: string;
}

/** A URL, or the id of a file stored for the account. */
export type FileSource = { readonly url: string } | { readonly mediaId: string };

export interface FetchedFile {
  readonly file: MediaFile;
  /** Name from the URL or its server; empty when neither has one. */
  readonly fileName: string;
}

/** Stays in the spool until its owner disposes of it. */
export interface FetchedMedia extends FetchedFile, AsyncDisposable {}

/** Fetches files for the time it takes to send them. */
export interface MediaSpool {
  /** Rejects with a `NetworkError`, `offline` when cancelled, and then leaves nothing behind. */
  fetch(accountId: string, need: MediaNeed, signal: AbortSignal): Promise<FetchedMedia>;
}

const DOWNLOAD_PATIENCE_MS = 60_000;
/** Each file is on disk until it is on the network, so this also bounds the folder: to 2 GB. */
const FILES_AT_ONCE = 32;

/**
 * Pause between retries of an unreachable media store, and how long they go on before they cost the message an
 * attempt.
 */
const STORE_PAUSE_MS = 5_000;
const STORE_PATIENCE_MS = 60 * 60_000;

export interface MediaSpoolOptions extends Pick<SpoolOptions, 'egress' | 'folder'> {
  readonly library: Pick<MediaLibrary, 'findNeeded' | 'read'>;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
}

export function createMediaSpool({ library, clock, ...place }: MediaSpoolOptions): MediaSpool {
  const limits = { maxBytes: OUTBOUND_MEDIA_MAX_BYTES, timeoutMs: DOWNLOAD_PATIENCE_MS };
  const spool = createSpool({ ...place, ...limits });
  const permits = createSemaphore(FILES_AT_ONCE);

  async function hold(accountId: string, mediaId: string, signal: AbortSignal) {
    const media = await library.findNeeded(accountId, mediaId);
    if (!media) throw mediaFailure('The file is no longer kept.');
    const bytes = await library.read(media, { from: 0, to: media.size }, signal).catch(unlessLost);
    return spool.hold({ ...media, bytes }, signal);
  }

  async function fetch(accountId: string, need: MediaNeed, signal: AbortSignal): Promise<FetchedMedia> {
    // The slot may have come too late.
    if (signal.aborted) throw cancelled();
    const { from } = need;
    const spooled = await ('url' in from
      ? spool.fetch(from.url, signal).catch(asFailedSend)
      : hold(accountId, from.mediaId, signal));
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
    async fetch(accountId, need, signal) {
      for (const giveUpAt = clock.monotonic() + STORE_PATIENCE_MS; ; ) {
        await permits.acquire();
        try {
          return await fetch(accountId, need, signal);
        } catch (error) {
          permits.release();
          if (signal.aborted) throw cancelled(error);
          if (!isOutOfReach(error)) throw error;
          if (clock.monotonic() >= giveUpAt) throw storeFailure(error);
        }
        // An unreachable media store has not failed this message; other messages go first meanwhile.
        await clock.sleep(STORE_PAUSE_MS, signal).catch((error: unknown) => {
          throw cancelled(error);
        });
      }
    },
  };
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'media_store_unreachable';
}

/** A store that answers without the file has lost it: no retry brings it back. */
function unlessLost(error: unknown): never {
  if (!(error instanceof ApiError && error.code === 'media_not_found')) throw error;
  throw mediaFailure('The file is not in the media store.', error);
}

function storeFailure(cause: unknown): NetworkError {
  return new NetworkError('transient', 'The media store cannot be reached.', { cause });
}

function asFailedSend(cause: unknown): never {
  if (!(cause instanceof EgressError)) throw cause;
  if (cause.code === 'cancelled') throw cancelled(cause);
  throw mediaFailure(`The file could not be fetched: ${cause.message}`, cause);
}

function cancelled(cause?: unknown): NetworkError {
  return new NetworkError('offline', 'The file is not needed at this moment.', { cause });
}

/** The type comes from the bytes; file name and server do not count. */
function checkedType(need: MediaNeed, downloaded: Downloaded): string {
  const { family, mimetype } = downloaded;
  const { as } = need;
  if (as === 'document') return documentType(need, downloaded);
  if (as === 'sticker' ? mimetype === 'image/webp' : as === family) return mimetype;
  throw mediaFailure(`The file is ${mimetype}, not ${as === 'sticker' ? 'a WebP sticker' : as}.`);
}

/** Bytes without a specific type: plain text has none, and office documents are zip files. */
const VAGUE_TYPES = new Set(['application/octet-stream', 'application/zip']);
const PLAIN_TYPE = /^(?:text|application)\/[\w.+-]{1,100}$/;

/** Any file may be a document; its type only selects the app that opens it. What the sender gave with the file is kept. */
function documentType({ from, name }: MediaNeed, downloaded: Downloaded): string {
  const [given, found] = [withoutParameters(downloaded.declaredType), withoutParameters(downloaded.mimetype)];
  if ('mediaId' in from && isMediaType(given) && given !== UNKNOWN_MEDIA_TYPE) return given;
  if (!VAGUE_TYPES.has(found)) return found;
  if (PLAIN_TYPE.test(given) && given !== UNKNOWN_MEDIA_TYPE) return given;
  const [, extension = ''] = /\.(\w{1,8})$/.exec(name || downloaded.fileName) ?? [];
  return TYPES_BY_EXTENSION.get(extension.toLowerCase()) ?? found;
}

const withoutParameters = (type: string): string => type.replace(/;.*/s, '').trim();

/** Documents that have no signature, or that of a zip file. */
const TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['doc', 'application/msword'],
  ['xls', 'application/vnd.ms-excel'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['apk', 'application/vnd.android.package-archive'],
  ['epub', 'application/epub+zip'],
  ['rtf', 'application/rtf'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['csv', 'text/csv'],
  ['txt', 'text/plain'],
  ['html', 'text/html'],
  ['ics', 'text/calendar'],
  ['vcf', 'text/vcard'],
]);

/** Fails the message for good, with the public reason `MEDIA_FAILED`. */
function mediaFailure(text: string, cause?: unknown): NetworkError {
  return new NetworkError('permanent', text, { failure: 'media', cause });
}
