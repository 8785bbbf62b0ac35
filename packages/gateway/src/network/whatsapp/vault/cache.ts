import { createBoundedCache } from '../bounded-cache.ts';
import { SECRET } from './records.ts';
import type { RecordName } from './write-commands.ts';

/**
 * Plain text of records, bounded over all links. A link has one writer, so a cached record, or its absence,
 * stays valid until that writer changes it. Two things must never be cached: reads of a former owner in this
 * process, and results of a read that a write has overtaken.
 */
export interface RecordCache {
  /** Opens an empty cache for the link; detaches one that was opened for it before. */
  open(linkId: string): LinkCache;
}

export interface LinkCache {
  /** `null` when there is no such record, `undefined` when it is not cached. */
  get(kind: string, id: string): string | null | undefined;
  /** Changes at the start and at the end of each write; take it before a read of the database. */
  readonly version: number;
  /** Caches the result of a read, unless a write ran since `version`. */
  fill(version: number, kind: string, ids: readonly string[], texts: ReadonlyMap<string, string>): void;
  beginWrite(): void;
  endWrite(puts: readonly (RecordName & { readonly text: string })[], deletes: readonly RecordName[]): void;
  clear(): void;
}

/** Approximate length of a record's name. */
const NAME_LENGTH = 64;
/** Marks a record that does not exist; no record has an empty text. */
const ABSENT = '';

/** `limit` counts characters of texts and names together. */
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

/** Prekeys are written by hundreds and each is read only once; every message has a secret, and few are edited. */
function isWorthCaching(kind: string): boolean {
  return kind !== 'pre-key' && kind !== SECRET;
}
