import { useEffect, useMemo } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import { createPaging, type PagesOf } from './paging.ts';
import type { Problem } from './problem.ts';
import { changesElsewhere } from './tabs.ts';

/** Long list, newest first; older pages are loaded on scrolling. */
export interface PagedList<T> {
  /** Undefined until the first page is loaded. */
  readonly items: readonly T[] | undefined;
  readonly problem: Problem | undefined;
  readonly isWhole: boolean;
  /** Loads the next older page; one request at a time. */
  readonly more: () => Promise<void>;
  /** Loads the newest page again and drops the older ones. */
  readonly reload: () => Promise<void>;
  /** Adds newer items at the beginning, without duplicates. */
  readonly prepend: (newer: readonly T[]) => void;
}

/** Loads the first page when the page opens and whenever `dependencies` change. */
export function usePages<T>(pages: PagesOf<T>, dependencies: readonly unknown[]): PagedList<T> {
  const paging = useMemo(() => createPaging(pages), dependencies);
  useEffect(() => inBackground(paging.reload()), [paging]);
  useEffect(() => {
    // A reload would lose the scroll position in older pages.
    const { length } = paging.items.peek() ?? [];
    if (changesElsewhere.value > 0 && length > 0 && length <= pages.pageSize) inBackground(paging.reload());
  }, [changesElsewhere.value]);
  const { items, problem, isWhole } = paging;
  return { ...paging, items: items.value, problem: problem.value, isWhole: isWhole.value };
}
