import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { words } from '../texts/common.ts';
import { ErrorNote } from './error-note.tsx';
import './skeleton.css';

/** Grey shapes in place of what is on its way. */
export function Skeleton({ lines = 3, tall }: { lines?: number; tall?: boolean }) {
  return (
    <div class="skeleton" role="status" aria-label={words.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class={tall ? 'skeleton-block' : 'skeleton-line'} />
      ))}
    </div>
  );
}

/** Shows what a resource holds, or that it is on its way, or why it is not there. */
export function Loaded<T>({
  resource,
  skeleton,
  children,
}: {
  resource: Resource<T>;
  skeleton?: ComponentChildren;
  children: (data: T) => ComponentChildren;
}) {
  const { data, problem, reload } = resource;
  return (
    <>
      {problem && <ErrorNote problem={problem} retry={() => inBackground(reload())} />}
      {data !== undefined ? children(data) : !problem && (skeleton ?? <Skeleton />)}
    </>
  );
}
