import { useEffect, useRef } from 'preact/hooks';
import { type Resource, useResource } from './hooks.ts';
import { type PageQuery, wholeList } from './whole-list.ts';

/** List that is loaded page by page. */
export interface GrowingList<T> extends Resource<T> {
  /** Loads the next page; undefined when the list is complete. */
  readonly more: (() => Promise<void>) | undefined;
}

/** Rows of the first page of a table. */
const PAGE_SIZE = 50;

/** Loads the first page, again whenever `dependencies` change. A reload loads as many pages as are shown. */
export function useGrowingList<P extends { readonly next_cursor: string | null }>(
  load: (page: PageQuery & { readonly limit: number }) => Promise<P>,
  dependencies: readonly unknown[],
): GrowingList<P> {
  const pages = useRef({ wanted: 1, loaded: 1 });
  // Must run before the resource, whose effect reads the number of pages.
  useEffect(() => {
    pages.current = { wanted: 1, loaded: 1 };
  }, dependencies);
  const list = useResource(async () => {
    const asked = pages.current;
    const { wanted } = asked;
    const loaded = await wholeList((page) => load({ ...page, limit: PAGE_SIZE }), wanted);
    asked.loaded = wanted;
    return loaded;
  }, dependencies);
  const more = async (): Promise<void> => {
    // Counts loaded pages, so that a refused page is requested again, not skipped.
    pages.current.wanted = pages.current.loaded + 1;
    await list.reload();
  };
  return { ...list, more: list.data && list.data.next_cursor !== null ? more : undefined };
}
