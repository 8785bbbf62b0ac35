import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { type Listener, listen } from './live.ts';
import { asProblem, type Problem } from './problem.ts';
import { createResource } from './resource.ts';
import { changesElsewhere } from './tabs.ts';

/** Something that was asked for: not here yet, here, or refused. What was here stays while it is asked for again. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  /** Asks again. */
  readonly reload: () => Promise<void>;
  /** Puts a newer state in place, as an answer has just told it. */
  readonly replace: (data: T) => void;
}

/** Asks when the page opens, whenever `dependencies` or something in another tab change, and every `everyMs` while somebody looks. */
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

/** Hears everything that happens while the component is there; `catchUp` looks at what may have happened before the stream was open. */
export function useLive(hear: Listener['hear'], catchUp?: Listener['catchUp']): void {
  const latest = useRef<Listener>({ hear, catchUp });
  latest.current = { hear, catchUp };
  useEffect(
    () =>
      listen({
        hear: (event) => latest.current.hear(event),
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
