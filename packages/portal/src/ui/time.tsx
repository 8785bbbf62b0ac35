import { dateOf, formatAgo, formatTime, type Moment } from './format.ts';

/** How long ago, with the exact time for whoever points at it. */
export function Ago({ at }: { at: Moment }) {
  return (
    <time class="nowrap" dateTime={dateOf(at).toISOString()} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  );
}
