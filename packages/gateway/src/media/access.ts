import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { fault } from '#kernel';
import type { ObtainMedia } from './inbound/obtain.ts';
import type { Media, MediaLibrary, MediaOwner } from './library.ts';

/** How a request names a file, besides by a URL. */
export interface GivenFile {
  readonly media_id?: string;
  readonly media_base64?: string;
  readonly mimetype?: string;
}

/** The files that somebody may use. */
export interface MediaAccess {
  /** A file of the account. Rejects with the fault to tell. */
  find(owner: MediaOwner, id: string): Promise<Media>;
  /** The same with its bytes here, fetched from the network if need be. */
  obtain(owner: MediaOwner, id: string, signal?: AbortSignal): Promise<Media>;
  /** The bytes of a file that is here, as they are read. */
  read(media: Media, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** From now on nobody finds it; a message that waits for it still does. */
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
  async function find({ accountId, phone }: MediaOwner, id: string): Promise<Media> {
    // What is another account's is not there; of what is the account's own, a key for one number has what is that number's.
    const media = await library.find(accountId, id);
    if (!media) throw fault('media_not_found');
    if (phone !== null && media.phone !== phone) throw fault('key_restricted');
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
