import { EVENTS_PAGE_DEFAULT, operations, REQUESTS_PAGE_DEFAULT } from '@parley/contract';
import { parseCursor } from '#event-log';
import { type Route, serve } from '#http';
import { requestsOf } from '#request-log';
import { filterOf, listActivity } from '../activity.ts';
import type { PortalContext } from '../context.ts';

export function activityRoutes(context: PortalContext): Route[] {
  const { gate, streams } = context;
  return [
    serve(operations.listActivity, async ({ caller, query }) => ({
      events: await listActivity(context, caller, { ...query, limit: query.limit ?? EVENTS_PAGE_DEFAULT }),
    })),
    serve(operations.streamActivity, async ({ caller, query, header, setHeader, signal }) => {
      const after = header('Last-Event-ID') ?? query.after;
      setHeader('Cache-Control', 'no-store');
      // Proxies that collect answers would turn a live stream into a late one.
      setHeader('X-Accel-Buffering', 'no');
      return streams.open({
        filter: await filterOf(context, caller, query),
        after: after === undefined ? undefined : parseCursor(after),
        signal,
        holder: header('Cookie') ?? '',
        // Who signs out or is suspended while a stream runs sees no more of it.
        mayStay: async () => (await gate.owner(header('Cookie')))?.blocked === null,
      });
    }),
    serve(operations.listApiRequests, async ({ caller, query }) => ({
      requests: await requestsOf(context, caller.accountId, {
        ...query,
        limit: query.limit ?? REQUESTS_PAGE_DEFAULT,
      }),
    })),
  ];
}
