import {
  DELIVERIES_PAGE_DEFAULT,
  EVENTS_PAGE_DEFAULT,
  type EventPage,
  EXTENSION_NAMES,
  type Extension,
  extensionOfKind,
  operations,
  parseSessionId,
  type QuarantineRetry,
} from '@parley/contract';
import { auditedTransaction, type Directory, record } from '#accounts';
import {
  type EventStreams,
  type Feed,
  formatCursor,
  type LogFilter,
  parseCursor,
  START_OF_LOG,
} from '#events';
import { apiError, type Clock, type SealedBox } from '#kernel';
import { listDrift, NetworkError, type NetworkEvent } from '#network';
import {
  type Caller,
  type Gatekeeper,
  type RequestContext,
  type Route,
  requireReach,
  serve,
} from '#platform/http';
import { isPassing, type Store } from '#platform/store';
import { contextOfQuarantined, reasonOf } from './quarantine.ts';
import { deleteQuarantined, findQuarantined, listQuarantine, noteReason } from './quarantine-queries.ts';
import type { ListeningSession, NetworkEventSink } from './sink.ts';

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
      await auditedTransaction(store, async (trx) => {
        const accountId = await deleteQuarantined(trx, subject);
        if (accountId === undefined) throw apiError('quarantined_not_found');
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

/** What the network sends and the driver does not understand. */
export function driftRoutes({ store, clock }: Pick<RetryParts, 'store' | 'clock'>): Route[] {
  return [
    serve(operations.listDrift, async () => ({
      entries: (await listDrift(store, clock.now())).map(({ firstSeen, lastSeen, ...entry }) => ({
        ...entry,
        first_seen_at: new Date(firstSeen).toISOString(),
        last_seen_at: new Date(lastSeen).toISOString(),
      })),
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

/** The checks of admission are repeated while the stream is open. */
function subscription({ gatekeeper }: EventsRoutesParts, { header, signal }: EventsCall, filter: LogFilter) {
  const key = header('Authorization')?.trim().split(' ').at(-1) ?? '';
  const mayStay = async (): Promise<boolean> =>
    (await gatekeeper.admit(key))?.blocked === null && (await isOpen(gatekeeper, filter));
  return { filter, holder: key, signal, mayStay };
}

/** Readers of a single number get nothing once it is suspended or removed. */
async function isOpen(gatekeeper: EventsGatekeeper, { accountId, slotId }: LogFilter): Promise<boolean> {
  if (slotId === undefined) return true;
  const status = (await gatekeeper.sendingTerms({ accountId, slotId }))?.status;
  return status !== undefined && status !== 'suspended';
}

/** All numbers of the account, unless the caller asks for one or its key is for one. */
async function filterOf(gatekeeper: EventsGatekeeper, { caller, query }: EventsCall): Promise<LogFilter> {
  const phone = query.session_id === undefined ? caller.phone : ownPhone(query.session_id, caller);
  const number = phone === null ? undefined : await gatekeeper.ownedNumber(caller.accountId, phone);
  if (phone !== null && !number) throw apiError('session_not_owned');
  const filter = {
    accountId: caller.accountId,
    slotId: number?.slotId,
    kind: query.kind,
    extensions: extensionsIn(query),
  };
  if (!(await isOpen(gatekeeper, filter))) throw apiError('device_not_active');
  return filter;
}

/** A filter for a kind includes the kind's extension. */
function extensionsIn({ kind, extensions = '' }: EventsCall['query']): Extension[] {
  const wanted = extensions.split(',');
  return EXTENSION_NAMES.filter(
    (name) => wanted.includes(name) || (kind !== undefined && extensionOfKind(kind) === name),
  );
}

function ownPhone(sessionId: string, caller: Caller): string {
  const session = parseSessionId(sessionId);
  if (!session) throw apiError('session_not_owned');
  requireReach(caller, session.phone);
  return session.phone;
}

interface RetryParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  /** Rejects with what stands against an event, and puts nothing aside. */
  readonly publish: NetworkEventSink;
}

const NOT_LINKED = 'the number is not linked any more';

/** No connection is at hand here: a file that came with a message is fetched when it is asked for. */
const elsewhere: ListeningSession['session'] = {
  download: () => Promise.reject(new Error('there is no connection here')),
  chatOf: async (jid) => jid,
  groups: { detail: () => Promise.reject(new NetworkError('offline', 'there is no connection here')) },
};

/**
 * Retries an event that could not be stored. A crash after the event was stored leaves the entry behind; the event keeps its key,
 * so that another retry publishes nothing twice while the log has it.
 */
export async function retryQuarantined(parts: RetryParts, id: string): Promise<QuarantineRetry> {
  const { store, clock } = parts;
  const kept = await findQuarantined(store, id);
  if (!kept) throw apiError('quarantined_not_found');
  const reason = await failureOf(parts, id, kept);
  await auditedTransaction(store, async (trx) => {
    if (reason === null) {
      // A concurrent request has stored and recorded it.
      if ((await deleteQuarantined(trx, id)) === undefined) return;
    } else await noteReason(trx, id, reason);
    const action = reason === null ? 'quarantine.stored' : 'quarantine.retried';
    await record(trx, clock.now(), { actor: 'operator', accountId: kept.account_id, action, subject: id });
  });
  return { stored: reason === null, reason };
}

type Kept = NonNullable<Awaited<ReturnType<typeof findQuarantined>>>;

async function failureOf(
  { sealedBox, publish }: RetryParts,
  id: string,
  { account_id: accountId, slot_id: slotId, session_id: sessionId, phone, sealed }: Kept,
): Promise<string | null> {
  if (sessionId === null || phone === null) return NOT_LINKED;
  try {
    const content = sealedBox.open(sealed, contextOfQuarantined(id));
    const event = JSON.parse(Buffer.from(content).toString()) as NetworkEvent;
    await publish({ number: { accountId, slotId, phone }, sessionId, session: elsewhere }, [event]);
    return null;
  } catch (failure) {
    if (isPassing(failure)) throw failure;
    return reasonOf(failure);
  }
}
