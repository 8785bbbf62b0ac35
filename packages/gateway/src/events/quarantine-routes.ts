import { DELIVERIES_PAGE_DEFAULT, operations } from '@parley/contract';
import { type Route, serve } from '#http';
import type { Store } from '#store';
import { listQuarantine } from './quarantine.ts';

export function quarantineRoutes({ store }: { store: Pick<Store, 'read'> }): Route[] {
  return [
    serve(operations.listQuarantine, async ({ query }) => ({
      entries: await listQuarantine(store, { ...query, limit: query.limit ?? DELIVERIES_PAGE_DEFAULT }),
    })),
  ];
}
