import { useEffect, useMemo } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import { createPaging, type PagesOf } from './paging.ts';
import type { Problem } from './problem.ts';
import { changesElsewhere } from './tabs.ts';

/** A long list, newest first, of which older parts are fetched as one scrolls. */
export interface PagedList<T> {
  /** Undefined until the first page is here. */
  readonly items: readonly T[] | undefined;
  readonly problem: Problem | undefined;
  /** All of it is here. */
  readonly isWhole: boolean;
  /** Fetches the next older page, once at a time. */
  readonly more: () => Promise<void>;
  /** Begins again with the newest. */
  readonly reload: () => Promise<void>;
  /** Puts items that are newer than all before them, unless they are here already. */
  readonly prepend: (newer: readonly T[]) => void;
}

/** Begins when the page opens, and anew whenever `dependencies` change. */
export function usePages<T>(pages: PagesOf<T>, dependencies: readonly unknown[]): PagedList<T> {
  const paging = useMemo(() => createPaging(pages), dependencies);
  useEffect(() => inBackground(paging.reload()), [paging]);
  useEffect(() => {
    // Whoever has scrolled into the past is not torn back to the present.
    const { length } = paging.items.peek() ?? [];
    if (changesElsewhere.value > 0 && length > 0 && length <= pages.pageSize) inBackground(paging.reload());
  }, [changesElsewhere.value]);
  const { items, problem, isWhole } = paging;
  return { ...paging, items: items.value, problem: problem.value, isWhole: isWhole.value };
}
