import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { asProblem, type Problem } from './problem.ts';

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
  /** Puts items that are newer than all before them. */
  readonly prepend: (newer: readonly T[]) => void;
}

/** `load` gets the last item that is here, and answers with older ones; fewer than `pageSize` are the last. */
export function usePages<T>(
  load: (last: T | undefined) => Promise<readonly T[]>,
  dependencies: readonly unknown[],
  pageSize: number,
): PagedList<T> {
  const items = useSignal<readonly T[] | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const isWhole = useSignal(false);
  const turn = useRef(0);
  const busy = useRef(false);

  const fetchBehind = useCallback(async (before: readonly T[]): Promise<void> => {
    const mine = turn.current;
    busy.current = true;
    try {
      const page = await load(before.at(-1));
      if (mine !== turn.current) return;
      items.value = [...(before.length === 0 ? [] : (items.value ?? [])), ...page];
      isWhole.value = page.length < pageSize;
      problem.value = undefined;
    } catch (thrown) {
      if (mine === turn.current) problem.value = asProblem(thrown);
    } finally {
      if (mine === turn.current) busy.current = false;
    }
  }, dependencies);

  const reload = useCallback(async () => {
    turn.current += 1;
    await fetchBehind([]);
  }, [fetchBehind]);

  useEffect(() => {
    items.value = undefined;
    isWhole.value = false;
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);

  return {
    items: items.value,
    problem: problem.value,
    isWhole: isWhole.value,
    reload,
    more: async () => {
      if (!busy.current && !isWhole.value && items.value) await fetchBehind(items.value);
    },
    prepend: (newer) => {
      if (items.value) items.value = [...newer, ...items.value];
    },
  };
}
