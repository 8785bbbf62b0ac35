import { LIST_PAGE_MAX } from '@parley/contract/plain';

/** Which part of a list somebody asks for. */
export interface PageChoice {
  /** The key of the last item of the page before. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Page<T> {
  readonly items: T[];
  /** Null: nothing comes behind it. */
  readonly nextCursor: string | null;
}

/** One more than the page holds: whether there is one tells if another page follows. */
export function rowsToRead({ limit = LIST_PAGE_MAX }: PageChoice): number {
  return limit + 1;
}

/** Of a list without pages, which shows no more than so many. One more was read, where there is one. */
export interface Beginning<T> {
  readonly items: T[];
  readonly hasMore: boolean;
}

export function beginningOf<T>(rows: readonly T[], most: number): Beginning<T> {
  return { items: rows.slice(0, most), hasMore: rows.length > most };
}

/** What is shown of the rows that were read. */
export function pageOf<T>(
  rows: readonly T[],
  { limit = LIST_PAGE_MAX }: PageChoice,
  keyOf: (row: T) => string,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? keyOf(last) : null };
}
