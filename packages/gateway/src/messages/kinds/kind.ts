import type { SendKindName, SendOf } from '@parley/contract';
import type { OutboundContent } from '#network';
import type { FetchedFile, MediaNeed } from '../outbox/media-spool.ts';

/** How one kind of send looks on the network. */
export interface Kind<K extends SendKindName> {
  /** The file that must be fetched first; absent for kinds without one. */
  readonly media?: (send: SendOf<K>) => MediaNeed;
  readonly content: (send: SendOf<K>, file: FetchedFile | undefined) => OutboundContent;
}

export function kind<K extends SendKindName>(_name: K, definition: Kind<K>): Kind<K> {
  return definition;
}

/** A kind with a file is only asked for its content once that file is there. */
export function needed(file: FetchedFile | undefined): FetchedFile {
  if (!file) throw new TypeError('this kind of message is built with its file');
  return file;
}
