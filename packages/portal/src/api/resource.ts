import { coalesce } from '@parley/contract';
import { type ReadonlySignal, signal } from '@preact/signals';
import { asProblem, type Problem } from './problem.ts';

/** Current state of loaded data. */
export interface ResourceState<T> {
  readonly data: ReadonlySignal<T | undefined>;
  readonly problem: ReadonlySignal<Problem | undefined>;
  readonly reload: () => Promise<void>;
  readonly replace: (data: T) => void;
}

export function createResource<T>(load: () => Promise<T>): ResourceState<T> {
  const data = signal<T | undefined>(undefined);
  const problem = signal<Problem | undefined>(undefined);
  let replaced = 0;

  const reload = coalesce(async () => {
    const before = replaced;
    try {
      const loaded = await load();
      // The request is older than the current state.
      if (before !== replaced) return;
      data.value = loaded;
      problem.value = undefined;
    } catch (thrown) {
      if (before === replaced) problem.value = asProblem(thrown);
    }
  });

  return {
    data,
    problem,
    reload,
    replace(next) {
      replaced += 1;
      data.value = next;
      problem.value = undefined;
    },
  };
}
