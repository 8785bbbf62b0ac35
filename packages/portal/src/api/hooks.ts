import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { type Listener, listen } from './live.ts';
import { asProblem, type Problem } from './problem.ts';
import { createResource } from './resource.ts';
import { changesElsewhere } from './tabs.ts';

/** Loaded data: pending, present or refused. Data stays while it is reloaded. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => Promise<void>;
  /** Replaces the data by a newer state, taken from an answer. */
  readonly replace: (data: T) => void;
}

/**
 * Loads when the page opens, when `dependencies` or another tab change something, and every `everyMs` while the page is visible.
 */
export function useResource<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  { everyMs }: { everyMs?: number } = {},
): Resource<T> {
  const { data, problem, reload, replace } = useMemo(() => createResource(load), dependencies);
  useEffect(() => inBackground(reload()), [reload, changesElsewhere.value]);
  useEffect(
    () => (everyMs === undefined ? undefined : everyWhileVisible(everyMs, () => inBackground(reload()))),
    [reload, everyMs],
  );
  return { data: data.value, problem: problem.value, reload, replace };
}

/** Receives all live events while the component is mounted; `catchUp` loads what may have happened before the stream was open. */
export function useLive(onEvent: Listener['onEvent'], catchUp?: Listener['catchUp']): void {
  const latest = useRef<Listener>({ onEvent, catchUp });
  latest.current = { onEvent, catchUp };
  useEffect(
    () =>
      listen({
        onEvent: (event) => latest.current.onEvent(event),
        catchUp: () => latest.current.catchUp?.(),
      }),
    [],
  );
}

export interface Action<A extends unknown[]> {
  readonly run: (...args: A) => Promise<boolean>;
  readonly busy: Signal<boolean>;
  readonly problem: Signal<Problem | undefined>;
}

/** Action of a person: `busy` while it runs, `problem` when it failed. `run` resolves to whether it succeeded. */
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
