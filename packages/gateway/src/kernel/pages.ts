import { LIST_PAGE_MAX } from '@parley/contract/plain';

/** Requested part of a list. */
export interface PageChoice {
  /** The key of the last item of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Page<T> {
  readonly items: T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** One more than the page holds, to see whether another page follows. */
export function rowsToRead({ limit = LIST_PAGE_MAX }: PageChoice): number {
  return limit + 1;
}

/** First part of a list without pages. One more row is read to see whether it is complete. */
export interface Beginning<T> {
  readonly items: T[];
  readonly hasMore: boolean;
}

export function beginningOf<T>(rows: readonly T[], most: number): Beginning<T> {
  return { items: rows.slice(0, most), hasMore: rows.length > most };
}

/** The page of the rows that were read. */
export function pageOf<T>(
  rows: readonly T[],
  { limit = LIST_PAGE_MAX }: PageChoice,
  keyOf: (row: T) => string,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? keyOf(last) : null };
}
