import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { everyWhileVisible } from '../kernel/clock.ts';
import { type LiveEvent, listen } from './live.ts';
import { asProblem, type Problem } from './problem.ts';

/** Something that was asked for: not here yet, here, or refused. What was here stays while it is asked for again. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  /** Asks again. */
  readonly reload: () => Promise<void>;
  /** Puts a newer state in place, as an answer has just told it. */
  readonly replace: (data: T) => void;
}

/** Asks when the page opens, whenever `dependencies` change, and every `everyMs` while somebody looks. */
export function useResource<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  { everyMs }: { everyMs?: number } = {},
): Resource<T> {
  const data = useSignal<T | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const turn = useRef(0);

  // An answer that was overtaken by a later question is dropped.
  const reload = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    try {
      const loaded = await load();
      if (mine !== turn.current) return;
      data.value = loaded;
      problem.value = undefined;
    } catch (thrown) {
      if (mine === turn.current) problem.value = asProblem(thrown);
    }
  }, dependencies);

  useEffect(() => {
    data.value = undefined;
    problem.value = undefined;
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);
  useEffect(
    () => (everyMs === undefined ? undefined : everyWhileVisible(everyMs, () => void reload())),
    [reload, everyMs],
  );

  const replace = (next: T): void => {
    turn.current += 1;
    data.value = next;
    problem.value = undefined;
  };
  return { data: data.value, problem: problem.value, reload, replace };
}

/** Calls `react` with everything that happens while the component is there. */
export function useLive(react: (event: LiveEvent) => void): void {
  const latest = useRef(react);
  latest.current = react;
  useEffect(() => listen((event) => latest.current(event)), []);
}

export interface Action<A extends unknown[]> {
  readonly run: (...args: A) => Promise<boolean>;
  readonly busy: Signal<boolean>;
  readonly problem: Signal<Problem | undefined>;
}

/** Something that a person does: busy while it runs, and a problem to show when it did not work. Resolves to whether it did. */
export function useAction<A extends unknown[]>(work: (...args: A) => Promise<void>): Action<A> {
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  async function run(...args: A): Promise<boolean> {
    if (busy.value) return false;
    busy.value = true;
    problem.value = undefined;
    try {
      await work(...args);
      return true;
    } catch (thrown) {
      problem.value = asProblem(thrown);
      return false;
    } finally {
      busy.value = false;
    }
  }
  return { run, busy, problem };
}
