import { signal } from '@preact/signals';

/** The tabs of this browser, of the same origin only. */
const CHANNEL = 'parley-portal';

/** Grows whenever another tab has changed something: what is shown here may be old. */
export const changesElsewhere = signal(0);

/** Tells and hears which operations have changed something. Of those that begin or end a visit `onVisit` is told. */
export function joinTabs(
  visits: ReadonlySet<string>,
  onVisit: () => void,
): { readonly tell: (operation: string) => void } {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (visits.has(String(data))) onVisit();
    else changesElsewhere.value += 1;
  };
  return { tell: (operation) => channel.postMessage(operation) };
}
