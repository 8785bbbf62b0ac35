import { signal } from '@preact/signals';
import { everyWhileVisible } from '../kernel/clock.ts';
import { dateOf, formatAgo, formatMoment, formatTime, type Moment } from './format.ts';

const READ_AGAIN_MS = 20_000;
/** Changes while the page is open, or “just now” would stay for hours. */
const beat = signal(0);
everyWhileVisible(READ_AGAIN_MS, () => {
  beat.value += 1;
});

/** How long ago, with the exact time for whoever points at it. */
export function Ago({ at }: { at: Moment }) {
  void beat.value;
  return (
    <time class="nowrap" dateTime={dateOf(at).toISOString()} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  );
}

/** When, as short as a list needs it, with the exact time for whoever points at it. */
export function When({ at }: { at: Moment }) {
  return (
    <time class="figures nowrap" dateTime={dateOf(at).toISOString()} title={formatTime(at)}>
      {formatMoment(at)}
    </time>
  );
}
