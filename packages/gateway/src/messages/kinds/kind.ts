import type { SendKindName, SendOf } from '@parley/contract';
import type { OutboundContent } from '#network';
import type { FetchedFile, FileSource, MediaNeed } from '../outbox/media-spool.ts';

/** How one kind of send looks on the network. */
export interface Kind<K extends SendKindName> {
  /** The file that must be fetched first; absent for kinds without one. */
  readonly media?: (send: SendOf<K>) => MediaNeed;
  readonly content: (send: SendOf<K>, file: FetchedFile | undefined) => OutboundContent;
}

export function kind<K extends SendKindName>(_name: K, definition: Kind<K>): Kind<K> {
  return definition;
}

/** Exactly one of them is there: the contract has seen to it, and a file inside the request was kept when it was accepted. */
export function sourceOf(url: string | undefined, { media_id: mediaId }: { media_id?: string }): FileSource {
  if (mediaId !== undefined) return { mediaId };
  if (url !== undefined) return { url };
  throw new TypeError('a message with a file says where it is');
}

/** A kind with a file is only asked for its content once that file is there. */
export function needed(file: FetchedFile | undefined): FetchedFile {
  if (!file) throw new TypeError('this kind of message is built with its file');
  return file;
}
