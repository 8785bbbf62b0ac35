import {
  DELIVERIES_PAGE_DEFAULT,
  EVENTS_PAGE_DEFAULT,
  type EventPage,
  EXTENSION_NAMES,
  type Extension,
  extensionOfKind,
  operations,
  parseSessionId,
} from '@parley/contract';
import { changeInTurn, type Directory, record } from '#accounts';
import {
  type EventStreams,
  type Feed,
  formatCursor,
  type LogFilter,
  parseCursor,
  START_OF_LOG,
} from '#event-log';
import { type Caller, type Gatekeeper, type RequestContext, type Route, serve } from '#http';
import { fault } from '#kernel';
import { type RetryParts, retryQuarantined } from './retry.ts';
import { deleteQuarantined, listQuarantine } from './store.ts';

type EventsGatekeeper = Gatekeeper & Pick<Directory, 'sendingTerms'>;

interface EventsRoutesParts {
  readonly feed: Feed;
  readonly streams: EventStreams;
  readonly gatekeeper: EventsGatekeeper;
}

type EventsCall = RequestContext<typeof operations.readEvents>;

/** One address, two ways to read: a page now, or a stream for as long as the caller stays. */
export function eventsRoutes(parts: EventsRoutesParts): Route[] {
  return [
    serve(operations.readEvents, async (call) => {
      const filter = await filterOf(parts.gatekeeper, call);
      return wantsStream(call) ? streamTo(parts, call, filter) : pageFor(parts, call, filter);
    }),
  ];
}

export function quarantineRoutes(parts: RetryParts): Route[] {
  const { store, clock } = parts;
  return [
    serve(operations.retryQuarantined, ({ params }) => retryQuarantined(parts, params.quarantine_id)),
    serve(operations.dropQuarantined, async ({ params }) => {
      const { quarantine_id: subject } = params;
      await changeInTurn(store, async (trx) => {
        const accountId = await deleteQuarantined(trx, subject);
        if (accountId === undefined) throw fault('quarantined_not_found');
        const change = { actor: 'operator', accountId, action: 'quarantine.dropped', subject } as const;
        await record(trx, clock.now(), change);
      });
      return undefined;
    }),
    serve(operations.listQuarantine, async ({ query }) => ({
      entries: await listQuarantine(store, { ...query, limit: query.limit ?? DELIVERIES_PAGE_DEFAULT }),
    })),
  ];
}

/** By what the caller accepts; who does not say, says so by asking for a part of the log. */
function wantsStream({ header, query }: EventsCall): boolean {
  const accept = header('Accept') ?? '';
  if (accept.includes('text/event-stream')) return true;
  if (accept.includes('application/json')) return false;
  return query.after === undefined && query.limit === undefined && query.wait_seconds === undefined;
}

async function pageFor(parts: EventsRoutesParts, call: EventsCall, filter: LogFilter): Promise<EventPage> {
  const { query } = call;
  const after = query.after === undefined ? START_OF_LOG : parseCursor(query.after);
  const limit = query.limit ?? EVENTS_PAGE_DEFAULT;
  const waitMs = (query.wait_seconds ?? 0) * 1_000;
  const events =
    waitMs === 0
      ? (await parts.feed.page(filter, after, limit)).events
      : await parts.streams.wait({ ...subscription(parts, call, filter), after, limit, waitMs });
  return {
    events: events.map(({ eventId, cursor, body }) => ({
      event_id: eventId,
      cursor,
      event: JSON.parse(body),
    })),
    next_cursor: events.at(-1)?.cursor ?? formatCursor(after),
  };
}

function streamTo(parts: EventsRoutesParts, call: EventsCall, filter: LogFilter) {
  const after = call.header('Last-Event-ID') ?? call.query.after;
  call.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  call.setHeader('Cache-Control', 'no-store');
  // Proxies that collect answers would turn a live stream into a late one.
  call.setHeader('X-Accel-Buffering', 'no');
  return parts.streams.open({
    ...subscription(parts, call, filter),
    after: after === undefined ? undefined : parseCursor(after),
  });
}

/** Whoever stays is asked for the same things again that it was let in for. */
function subscription({ gatekeeper }: EventsRoutesParts, { header, signal }: EventsCall, filter: LogFilter) {
  const key = header('Authorization')?.trim().split(' ').at(-1) ?? '';
  const mayStay = async (): Promise<boolean> =>
    (await gatekeeper.admit(key))?.blocked === null && (await isOpen(gatekeeper, filter));
  return { filter, holder: key, signal, mayStay };
}

/** A number that is suspended, or gone, has nothing to tell to those who ask for it alone. */
async function isOpen(gatekeeper: EventsGatekeeper, { accountId, slotId }: LogFilter): Promise<boolean> {
  if (slotId === undefined) return true;
  const status = (await gatekeeper.sendingTerms({ accountId, slotId }))?.status;
  return status !== undefined && status !== 'suspended';
}

/** All numbers of the account, unless the caller asks for one or its key is for one. */
async function filterOf(gatekeeper: EventsGatekeeper, { caller, query }: EventsCall): Promise<LogFilter> {
  const phone = query.session_id === undefined ? caller.phone : ownPhone(query.session_id, caller);
  const number = phone === null ? undefined : await gatekeeper.ownedNumber(caller.accountId, phone);
  if (phone !== null && !number) throw fault('session_not_owned');
  const filter = {
    accountId: caller.accountId,
    slotId: number?.slotId,
    kind: query.kind,
    extensions: extensionsIn(query),
  };
  if (!(await isOpen(gatekeeper, filter))) throw fault('device_not_active');
  return filter;
}

/** Whoever asks for a kind by its name has asked for what it belongs to. */
function extensionsIn({ kind, extensions = '' }: EventsCall['query']): Extension[] {
  const wanted = extensions.split(',');
  return EXTENSION_NAMES.filter(
    (name) => wanted.includes(name) || (kind !== undefined && extensionOfKind(kind) === name),
  );
}

function ownPhone(sessionId: string, caller: Caller): string {
  const session = parseSessionId(sessionId);
  if (!session) throw fault('session_not_owned');
  if (caller.phone !== null && caller.phone !== session.phone) throw fault('key_restricted');
  return session.phone;
}
