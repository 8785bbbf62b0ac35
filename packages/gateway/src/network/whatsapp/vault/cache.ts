import { createBoundedCache } from '../bounded-cache.ts';
import type { RecordName } from './write-commands.ts';

/**
 * The plain text of records, bounded over all links. A link has one writer, so what is known of a record, that it does not exist included,
 * stays true until that writer changes it. Two things must never get in: what a former owner of the link was still reading in this process,
 * and what a read found before a write that has overtaken it.
 */
export interface RecordCache {
  /** Forgets the link; a cache that was opened for it before is cut off from this one. */
  open(linkId: string): LinkCache;
}

export interface LinkCache {
  /** `null` when there is no such record, `undefined` when nothing is known of it. */
  get(kind: string, id: string): string | null | undefined;
  /** Changes at the beginning and at the end of each write; to be noted before a read of the database. */
  readonly version: number;
  /** Takes what a read found of these records, unless there was a write since `version`. */
  fill(version: number, kind: string, ids: readonly string[], texts: ReadonlyMap<string, string>): void;
  beginWrite(): void;
  endWrite(puts: readonly (RecordName & { readonly text: string })[], deletes: readonly RecordName[]): void;
  clear(): void;
}

/** About as many characters as the name of a record has. */
const NAME_LENGTH = 64;
/** Stands for a record that does not exist; no record has an empty text. */
const ABSENT = '';

/** `limit` is in characters, of texts and names together. */
export function createRecordCache({ limit }: { limit: number }): RecordCache {
  const texts = createBoundedCache<string>({ limit, weigh: (text) => NAME_LENGTH + text.length });
  let opened = 0;
  return {
    open(linkId) {
      texts.deleteAll(`${linkId}\n`);
      opened += 1;
      return createLinkCache(texts, `${linkId}\n${opened}\n`);
    },
  };
}

function createLinkCache(texts: ReturnType<typeof createBoundedCache<string>>, prefix: string): LinkCache {
  const key = (kind: string, id: string): string => `${prefix}${kind}\n${id}`;
  let version = 0;
  return {
    get version() {
      return version;
    },
    get(kind, id) {
      const text = texts.get(key(kind, id));
      return text === ABSENT ? null : text;
    },
    fill(readAt, kind, ids, found) {
      if (readAt !== version || !isWorthCaching(kind)) return;
      for (const id of ids) texts.set(key(kind, id), found.get(id) ?? ABSENT);
    },
    beginWrite() {
      version += 1;
    },
    endWrite(puts, deletes) {
      version += 1;
      for (const { kind, id } of deletes) texts.delete(key(kind, id));
      for (const { kind, id, text } of puts) if (isWorthCaching(kind)) texts.set(key(kind, id), text);
    },
    clear: () => texts.deleteAll(prefix),
  };
}

/** Hundreds of prekeys are written at once and each is read once in its life. */
function isWorthCaching(kind: string): boolean {
  return kind !== 'pre-key';
}
