import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { words } from '../texts/common.ts';
import { ErrorNote } from './error-note.tsx';
import './skeleton.css';

/** Placeholder while data loads. */
export function Skeleton({ lines = 3, tall }: { lines?: number; tall?: boolean }) {
  return (
    <div class="skeleton" role="status" aria-label={words.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class={tall ? 'skeleton-block' : 'skeleton-line'} />
      ))}
    </div>
  );
}

/** Shows a resource's data, a placeholder while it loads, or the reason of a failure. */
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
