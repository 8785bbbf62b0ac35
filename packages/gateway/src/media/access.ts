import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { apiError } from '#kernel';
import { requireReach } from '#platform/http';
import type { ObtainMedia } from './inbound/fetch.ts';
import type { Media, MediaLibrary, MediaOwner } from './library.ts';

/** How a request names a file, besides by a URL. */
export interface GivenFile {
  readonly media_id?: string;
  readonly media_base64?: string;
  readonly mimetype?: string;
}

/** The files that an owner may use. */
export interface MediaAccess {
  /** A file of the account. Rejects with the API error to answer. */
  find(owner: MediaOwner, id: string): Promise<Media>;
  /** The same with its bytes here, fetched from the network if need be. */
  obtain(owner: MediaOwner, id: string, signal?: AbortSignal): Promise<Media>;
  /** The bytes of a file that is here, as they are read. */
  read(media: Media, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Hides the file from readers; a message that waits for it still finds it. */
  forget(owner: MediaOwner, id: string): Promise<void>;
  /** The id of the file that was given, whose bytes are here then: it is kept first where it came with the request. Undefined when there is none. */
  idOf(owner: MediaOwner, given: GivenFile): Promise<string | undefined>;
}

export function createMediaAccess({
  library,
  obtain,
}: {
  library: Pick<MediaLibrary, 'find' | 'keep' | 'forget' | 'read'>;
  obtain: ObtainMedia;
}): MediaAccess {
  async function find(owner: MediaOwner, id: string): Promise<Media> {
    // What is another account's is not there; of what is the account's own, a key for one number has what is that number's.
    const media = await library.find(owner.accountId, id);
    if (!media) throw apiError('media_not_found');
    requireReach(owner, media.phone);
    return media;
  }

  async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    yield bytes;
  }

  return {
    find,
    obtain: async (owner, id, signal) => obtain(await find(owner, id), signal),
    read: (media, signal) => library.read(media, { from: 0, to: media.size }, signal),
    forget: async (owner, id) => library.forget(await find(owner, id)),
    async idOf(owner, { media_id, media_base64, mimetype = '' }) {
      if (media_id !== undefined) return (await obtain(await find(owner, media_id))).id;
      if (media_base64 === undefined) return undefined;
      const decoded = Buffer.from(media_base64, 'base64');
      const file = {
        bytes: once(decoded),
        size: decoded.length,
        mimetype,
        fileName: '',
        maxBytes: OUTBOUND_MEDIA_MAX_BYTES,
      };
      return (await library.keep(owner, file)).id;
    },
  };
}

type HasActiveNumber = (owner: MediaOwner) => boolean | Promise<boolean>;

/** The library for callers who bring files: refuses those of an owner without an active number before a byte is read. */
export function keepForActiveNumbers(library: MediaLibrary, hasActiveNumber: HasActiveNumber): MediaLibrary {
  return {
    ...library,
    async keep(owner, file) {
      if (!(await hasActiveNumber(owner))) throw apiError('device_not_active');
      return library.keep(owner, file);
    },
  };
}
