import { MESSAGES_PAGE_DEFAULT, operations, USAGE_DAYS_MAX } from '@parley/contract';
import { type Route, serve } from '#http';
import type { PortalContext } from '../context.ts';
import { getEvent, messageLife, searchMessages } from '../messages.ts';
import { dailyUsage, numberUsage, usageCsv } from '../usage.ts';

export function messageRoutes(context: PortalContext): Route[] {
  const daysOf = <Query extends { days?: number | undefined }>(query: Query) => ({
    ...query,
    days: query.days ?? USAGE_DAYS_MAX,
  });
  return [
    serve(operations.searchMessages, ({ caller, query }) =>
      searchMessages(context, caller, {
        ...query,
        direction: query.direction ?? 'out',
        limit: query.limit ?? MESSAGES_PAGE_DEFAULT,
      }),
    ),
    serve(operations.getMessageLife, ({ caller, params }) => messageLife(context, caller, params.message_id)),
    serve(operations.getEvent, ({ caller, params }) => getEvent(context, caller, params.cursor)),
    serve(operations.getDailyUsage, async ({ caller, query }) => ({
      days: await dailyUsage(context, caller, daysOf(query)),
    })),
    serve(operations.getNumberUsage, async ({ caller, query }) => ({
      numbers: await numberUsage(context, caller, daysOf(query)),
    })),
    serve(operations.exportUsage, async ({ caller, query, setHeader }) => {
      setHeader('Content-Type', 'text/csv; charset=utf-8');
      setHeader('Content-Disposition', 'attachment; filename="messages.csv"');
      return usageCsv(context, caller, daysOf(query));
    }),
  ];
}
