import { signal } from '@preact/signals';

/** Channel between the tabs of this browser, of the same origin. */
const CHANNEL = 'parley-portal';

/** Counts changes made in other tabs; after one, shown data may be stale. */
export const changesElsewhere = signal(0);

/** Publishes and receives operations that changed something. `onVisit` is called for those that sign in or out. */
export function joinTabs(
  visits: ReadonlySet<string>,
  onVisit: () => void,
): { readonly publish: (operation: string) => void } {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (visits.has(String(data))) onVisit();
    else changesElsewhere.value += 1;
  };
  return { publish: (operation) => channel.postMessage(operation) };
}
