import { signal } from '@preact/signals';
import { everyWhileVisible } from '../kernel/clock.ts';
import { dateOf, formatAgo, formatMoment, formatTime, type Moment } from './format.ts';

const READ_AGAIN_MS = 20_000;
/** Refreshes relative times while the page is open. */
const beat = signal(0);
everyWhileVisible(READ_AGAIN_MS, () => {
  beat.value += 1;
});

/** Relative time, with the exact time as a tooltip. */
export function Ago({ at }: { at: Moment }) {
  void beat.value;
  return (
    <time class="nowrap" dateTime={dateOf(at).toISOString()} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  );
}

/** Short time for lists, with the exact time as a tooltip. */
export function When({ at }: { at: Moment }) {
  return (
    <time class="figures nowrap" dateTime={dateOf(at).toISOString()} title={formatTime(at)}>
      {formatMoment(at)}
    </time>
  );
}
