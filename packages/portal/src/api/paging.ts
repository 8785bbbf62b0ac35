import { coalesce } from '@parley/contract';
import { type ReadonlySignal, signal } from '@preact/signals';
import { asProblem, type Problem } from './problem.ts';

export interface PagesOf<T> {
  /** Loads the items that are older than `last`. */
  readonly load: (last: T | undefined) => Promise<readonly T[]>;
  readonly keyOf: (item: T) => string;
  /** A page with fewer items is the last one. */
  readonly pageSize: number;
}

export interface PagingState<T> {
  readonly items: ReadonlySignal<readonly T[] | undefined>;
  readonly problem: ReadonlySignal<Problem | undefined>;
  readonly isWhole: ReadonlySignal<boolean>;
  readonly more: () => Promise<void>;
  readonly reload: () => Promise<void>;
  readonly prepend: (newer: readonly T[]) => void;
}

export function createPaging<T>({ load, keyOf, pageSize }: PagesOf<T>): PagingState<T> {
  const items = signal<readonly T[] | undefined>(undefined);
  const problem = signal<Problem | undefined>(undefined);
  const isWhole = signal(false);
  let beginnings = 0;
  let isFetchingMore = false;
  /** Items that arrived while the newest page was loading; that page may lack them. */
  let meanwhile: readonly T[] | undefined;

  const missingIn = (known: readonly T[], some: readonly T[]): readonly T[] => {
    const keys = new Set(known.map(keyOf));
    return some.filter((item) => !keys.has(keyOf(item)));
  };

  const reload = coalesce(async () => {
    meanwhile = [];
    try {
      const page = await load(undefined);
      beginnings += 1;
      items.value = [...missingIn(page, meanwhile), ...page];
      isWhole.value = page.length < pageSize;
      problem.value = undefined;
    } catch (thrown) {
      problem.value = asProblem(thrown);
    } finally {
      meanwhile = undefined;
    }
  });

  async function more(): Promise<void> {
    if (isFetchingMore || isWhole.value || !items.value) return;
    const beginning = beginnings;
    isFetchingMore = true;
    try {
      const page = await load(items.value.at(-1));
      // The list was reloaded meanwhile and has another end.
      if (beginning !== beginnings) return;
      items.value = [...items.value, ...page];
      isWhole.value = page.length < pageSize;
      problem.value = undefined;
    } catch (thrown) {
      if (beginning === beginnings) problem.value = asProblem(thrown);
    } finally {
      isFetchingMore = false;
    }
  }

  function prepend(newer: readonly T[]): void {
    const unknown = missingIn(items.value ?? [], newer);
    if (meanwhile) meanwhile = [...unknown, ...meanwhile];
    if (items.value) items.value = [...unknown, ...items.value];
  }

  return { items, problem, isWhole, more, reload, prepend };
}
