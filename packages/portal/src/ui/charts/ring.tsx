import type { ComponentChildren } from 'preact';
import { formatPercent } from '../format.ts';
import './charts.css';

const RADIUS = 42;
const OVERSCAN = 2 * Math.PI * RADIUS;
const NEARLY = 0.8;

interface Used {
  label: string;
  /** From 0 to 1. */
  share: number;
}

/** Used share as a ring. Turns amber near the limit and red at it. */
export function Ring({ label, share, children }: Used & { children?: ComponentChildren }) {
  return (
    <div class="ring">
      <ScreenReaderText label={label} share={share} />
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="ring-track" cx="50" cy="50" r={RADIUS} />
        {share > 0 && (
          <circle
            class={`ring-value tone-${toneOf(share)}`}
            cx="50"
            cy="50"
            r={RADIUS}
            stroke-dasharray={`${within(share) * OVERSCAN} ${OVERSCAN}`}
          />
        )}
      </svg>
      <div class="ring-words">{children ?? formatPercent(share)}</div>
    </div>
  );
}

/** Used share as a bar. */
export function Meter({ label, share }: Used) {
  return (
    <div class="meter">
      <ScreenReaderText label={label} share={share} />
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect class={`tone-${toneOf(share)}`} width={within(share) * 100} height="1" />
      </svg>
    </div>
  );
}

function ScreenReaderText({ label, share }: Used) {
  return <meter class="unseen" aria-label={label} min={0} max={1} value={within(share)} />;
}

function toneOf(share: number): string {
  if (share >= 1) return 'red';
  return share >= NEARLY ? 'amber' : 'accent';
}

function within(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}
