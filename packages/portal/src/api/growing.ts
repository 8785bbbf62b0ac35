import { useEffect, useRef } from 'preact/hooks';
import { type Resource, useResource } from './hooks.ts';
import { type PageQuery, wholeList } from './whole-list.ts';

/** A list of which a part is shown. */
export interface GrowingList<T> extends Resource<T> {
  /** Shows one page more; undefined where all of it is here. */
  readonly more: (() => Promise<void>) | undefined;
}

/** As many as a table shows at first. */
const PAGE_SIZE = 50;

/** Begins with the first page, whenever `dependencies` change too. Asked for again, it stays as long as it has become. */
export function useGrowingList<P extends { readonly next_cursor: string | null }>(
  load: (page: PageQuery & { readonly limit: number }) => Promise<P>,
  dependencies: readonly unknown[],
): GrowingList<P> {
  const pages = useRef({ wanted: 1, loaded: 1 });
  // Stands before the resource, whose effect asks for as many pages as this one says.
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
    // Counted from what is here: a page that was refused is asked for again, not skipped.
    pages.current.wanted = pages.current.loaded + 1;
    await list.reload();
  };
  return { ...list, more: list.data && list.data.next_cursor !== null ? more : undefined };
}
