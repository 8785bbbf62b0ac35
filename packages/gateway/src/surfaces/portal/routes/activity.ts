import {
  type ActivityPage,
  EVENTS_PAGE_DEFAULT,
  type EventKind,
  EXTENSION_NAMES,
  MESSAGES_PAGE_DEFAULT,
  operations,
  REQUESTS_PAGE_DEFAULT,
  USAGE_DAYS_MAX,
} from '@parley/contract';
import { entriesBefore, formatCursor, type LogFilter, parseCursor } from '#events';
import { apiError } from '#kernel';
import { type Caller, type Route, serve } from '#platform/http';
import { requestsOf } from '#platform/request-log';
import type { PortalContext } from '../context.ts';
import { getEvent, messageLife, phonesOf, searchMessages } from '../messages.ts';
import { dailyUsage, numberUsage, usageCsv } from '../usage.ts';

/** Events as they were published, and requests of API keys. */
export function activityRoutes(context: PortalContext): Route[] {
  const { gate, streams } = context;
  return [
    serve(operations.listActivity, async ({ caller, query }) => ({
      events: await listActivity(context, caller, { ...query, limit: query.limit ?? EVENTS_PAGE_DEFAULT }),
    })),
    serve(operations.streamActivity, async ({ caller, query, header, setHeader, signal }) => {
      const after = header('Last-Event-ID') ?? query.after;
      setHeader('Cache-Control', 'no-store');
      // Proxies that buffer responses would delay a live stream.
      setHeader('X-Accel-Buffering', 'no');
      return streams.open({
        filter: await filterOf(context, caller, query),
        after: after === undefined ? undefined : parseCursor(after),
        signal,
        holder: header('Cookie') ?? '',
        // Ends the stream when the member signs out or the account is suspended.
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

/** Messages of all numbers, and their counts. */
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

type ActivityContext = Pick<PortalContext, 'store' | 'clock' | 'directory'>;

interface Selection {
  readonly phone?: string | undefined;
  readonly kind?: EventKind | undefined;
}

/** Selects all numbers of the account, or the requested one. */
async function filterOf(
  { directory }: ActivityContext,
  { accountId }: Caller,
  { phone, kind }: Selection,
): Promise<LogFilter> {
  const extensions = EXTENSION_NAMES;
  if (phone === undefined) return { accountId, slotId: undefined, kind, extensions };
  const number = await directory.ownedNumber(accountId, phone);
  if (!number) throw apiError('device_not_found');
  return { accountId, slotId: number.slotId, kind, extensions };
}

async function listActivity(
  context: ActivityContext,
  caller: Caller,
  query: Selection & { before?: string | undefined; limit: number },
): Promise<ActivityPage['events']> {
  const filter = await filterOf(context, caller, query);
  const before = query.before === undefined ? undefined : parseCursor(query.before);
  const phones = await phonesOf(context.store, caller.accountId);
  const entries = await entriesBefore(context.store, filter, before, query.limit);
  return entries.map((entry) => ({
    event_id: entry.event_id,
    cursor: formatCursor(entry),
    phone: phones.get(entry.slot_id) ?? '',
    kind: entry.kind,
    at_unix: Math.floor(entry.at / 1_000),
    event: JSON.parse(entry.body),
  }));
}
