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
