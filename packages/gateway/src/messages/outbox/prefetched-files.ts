import { neverRejects, settled } from '#kernel';
import type { FetchedMedia, MediaNeed, MediaSpool } from './media-spool.ts';

/**
 * Files of one number that are fetched beside its lane, so that a slow host holds up no more than the chat that its file is for. Each of
 * them takes a turn of the spool until it is sent or dropped: what cannot leave for a while must not be kept.
 */
export interface FilesAhead {
  readonly size: number;
  readonly isFull: boolean;
  /** `none`: nobody has begun to fetch it. `there`: it was fetched, or cannot be had. */
  stateOf(messageId: string): 'none' | 'under way' | 'there';
  begin(message: NeedyMessage, need: MediaNeed): void;
  /** Hands the file over to whoever sends it, who disposes of it. Rejects when it cannot be had. */
  take(messageId: string): Promise<FetchedMedia> | undefined;
  /** Drops what does not fit; resolves when nothing of it is left. */
  drop(isToGo?: (messageId: string, seq: number) => boolean): Promise<void>;
}

interface NeedyMessage {
  readonly message_id: string;
  readonly account_id: string;
  readonly seq: number;
}

interface FileAhead {
  readonly seq: number;
  readonly fetched: Promise<FetchedMedia>;
  readonly cancel: AbortController;
  there: boolean;
}

/** Of one number. Two, so that a host that hangs does not stop all files of the number. */
const FILES_PER_NUMBER = 2;

export function createFilesAhead({
  spool,
  stopping,
  onFetched,
}: {
  spool: MediaSpool;
  stopping: AbortSignal;
  onFetched: () => void;
}): FilesAhead {
  const files = new Map<string, FileAhead>();

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
      const file: FileAhead = { seq, fetched, cancel, there: false };
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
      // What cannot be removed goes when the gateway starts the next time.
      await Promise.allSettled(gone.map(async ([, { fetched }]) => (await fetched)[Symbol.asyncDispose]()));
    },
  };
}
