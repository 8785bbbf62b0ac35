import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import type { Clock } from '#kernel';
import type { Store } from '#store';
import { countsSince } from './store.ts';

const SHOWN_MS = { minute: 86_400_000, hour: 31 * 86_400_000 } as const;

export function throughputRoutes({
  store,
  clock,
}: {
  store: Pick<Store, 'read'>;
  clock: Pick<Clock, 'now'>;
}): Route[] {
  return [
    serve(operations.getThroughput, async ({ query }) => {
      const span = query.span ?? 'minute';
      const rows = await countsSince(store.read, span, clock.now() - SHOWN_MS[span]);
      const points = rows.map(({ starts_at, accepted, sent, received, delivered }) => ({
        at: new Date(starts_at).toISOString(),
        ...{ accepted, sent, received, delivered },
      }));
      return { span, points };
    }),
  ];
}
