import { neverRejects, settled } from '#kernel';
import type { FetchedMedia, MediaNeed, MediaSpool } from './media-spool.ts';

/**
 * Files of one number that are fetched beside its lane, so that a slow host holds up only the chat of its file. Each
 * file takes a slot of the spool until it is sent or dropped: a file that cannot leave for a while must not be kept.
 */
export interface PrefetchedFiles {
  readonly size: number;
  readonly isFull: boolean;
  /** `none`: the fetch has not begun. `there`: it was fetched, or cannot be fetched. */
  stateOf(messageId: string): 'none' | 'under way' | 'there';
  begin(message: MessageWithFile, need: MediaNeed): void;
  /** Hands the file over to its sender, which disposes of it. Rejects when it cannot be fetched. */
  take(messageId: string): Promise<FetchedMedia> | undefined;
  /** Drops files that do not match; resolves when they are removed. */
  drop(isToGo?: (messageId: string, seq: number) => boolean): Promise<void>;
}

interface MessageWithFile {
  readonly message_id: string;
  readonly account_id: string;
  readonly seq: number;
}

interface PrefetchedFile {
  readonly seq: number;
  readonly fetched: Promise<FetchedMedia>;
  readonly cancel: AbortController;
  there: boolean;
}

/** Of one number. Two, so that a host that hangs does not stop all files of the number. */
const FILES_PER_NUMBER = 2;

export function createPrefetchedFiles({
  spool,
  stopping,
  onFetched,
}: {
  spool: MediaSpool;
  stopping: AbortSignal;
  onFetched: () => void;
}): PrefetchedFiles {
  const files = new Map<string, PrefetchedFile>();

  return {
    get size() {
      return files.size;
    },
    get isFull() {
      return files.size >= FILES_PER_NUMBER;
    },
    stateOf(messageId) {
      const file = files.get(messageId);
      if (!file) return 'none';
      return file.there ? 'there' : 'under way';
    },
    begin({ message_id: messageId, account_id: accountId, seq }, need) {
      const cancel = new AbortController();
      const fetched = spool.fetch(accountId, need, AbortSignal.any([stopping, cancel.signal]));
      const file: PrefetchedFile = { seq, fetched, cancel, there: false };
      const arrived = (): void => {
        file.there = true;
        if (files.get(messageId) === file) onFetched();
      };
      neverRejects(settled(fetched).then(arrived));
      files.set(messageId, file);
    },
    take(messageId) {
      const file = files.get(messageId);
      files.delete(messageId);
      return file?.fetched;
    },
    async drop(isToGo = () => true) {
      const gone = [...files].filter(([messageId, { seq }]) => isToGo(messageId, seq));
      for (const [messageId, { cancel }] of gone) {
        files.delete(messageId);
        cancel.abort();
      }
      // Files that cannot be removed go at the next start of the gateway.
      await Promise.allSettled(gone.map(async ([, { fetched }]) => (await fetched)[Symbol.asyncDispose]()));
    },
  };
}
