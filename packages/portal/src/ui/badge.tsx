import type { ComponentChildren } from 'preact';
import './badge.css';

export type Tone = 'good' | 'waiting' | 'bad' | 'info' | 'idle' | 'accent';

/** State in one or two words; `dot` marks a live state. */
export function Badge({
  tone = 'idle',
  dot,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  children: ComponentChildren;
}) {
  return (
    <span class={`badge badge-${tone}`}>
      {dot && <span class="badge-dot" aria-hidden="true" />}
      {children}
    </span>
  );
}
