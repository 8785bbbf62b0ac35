import {
  ApiError,
  type Clock,
  DAY_MS,
  type DeliveryTraces,
  type JobLog,
  type PeriodicJob,
  type RequestTraces,
  type SendTraces,
  startPeriodicJob,
} from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import { keepTrace } from '../write-commands.ts';
import { dropTraces, findTrace } from './trace-queries.ts';

/** What this room requires of a span exporter. */
export interface Spans {
  /** Runs work inside a span that is a child of the current one, of `parent` if given, or else the root of a new trace. */
  inside<T>(span: NewSpan, work: (noted: Noted) => Promise<T>): Promise<T>;
  /** The current `traceparent`; undefined without a span, or when it is not sampled. */
  current(): string | undefined;
  /** Exports remaining spans, within a time limit. */
  close(): Promise<void>;
}

interface NewSpan {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes: Attributes;
  /** A `traceparent` from outside. */
  readonly parent?: string | undefined;
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Attributes known only when the work is done. */
export interface Noted {
  /** For code that continues the trace elsewhere; undefined when it is not sampled. */
  readonly traceparent: string | undefined;
  note(attributes: Attributes): void;
  failed(): void;
}

interface Traces extends RequestTraces, SendTraces, DeliveryTraces {}

/** One trace from the request of a message, over the network's ack, to the webhooks that report it. */
export function createTraces({
  spans,
  store,
  clock,
}: {
  spans: Spans;
  store: Pick<Store, 'run' | 'read'>;
  clock: { now(): number };
}): Traces {
  return {
    serving({ method, route, operation, requestId, traceparent, status }, answer) {
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'parley.operation': operation,
        'parley.request_id': requestId,
      };
      const span = { name: `${method} ${route}`, kind: 'server', attributes, parent: traceparent } as const;
      return spans.inside(span, async (noted) => {
        try {
          const answered = await answer();
          noted.note({ 'http.response.status_code': status() });
          return answered;
        } catch (error) {
          noted.note({ 'http.response.status_code': error instanceof ApiError ? error.status : 500 });
          throw error;
        }
      });
    },

    async accepting({ accountId, messageId }) {
      const traceparent = spans.current();
      if (traceparent !== undefined)
        await store.run(keepTrace, { accountId, messageId, traceparent, at: clock.now() });
    },

    async sending({ message_id: messageId, account_id: accountId, type, attempts }, attempt) {
      const parent = await findTrace(store, accountId, messageId);
      const attributes = {
        'parley.message_id': messageId,
        'parley.message_kind': type,
        'parley.attempt': attempts + 1,
      };
      return spans.inside({ name: 'send message', kind: 'consumer', attributes, parent }, async (noted) => {
        const outcome = await attempt();
        noted.note({ 'parley.outcome': outcome.kind });
        if (outcome.kind !== 'sent') noted.failed();
        return outcome;
      });
    },

    async delivering({ eventId, kind, webhookId, accountId, url, tries, payload }, post, statusOf) {
      const messageId = messageIn(payload);
      const parent = messageId === undefined ? undefined : await findTrace(store, accountId, messageId);
      const attributes = {
        'http.request.method': 'POST',
        'server.address': new URL(url).hostname,
        'parley.event_id': eventId,
        'parley.event_kind': kind,
        'parley.webhook_id': webhookId,
        'parley.message_id': messageId,
        'parley.attempt': tries + 1,
      };
      return spans.inside({ name: 'deliver webhook', kind: 'client', attributes, parent }, async (noted) => {
        const answer = await post(noted.traceparent);
        const status = statusOf(answer);
        noted.note({ 'http.response.status_code': status });
        if (status === undefined || status >= 300) noted.failed();
        return answer;
      });
    },
  };
}

/** The message of an event. An incoming message has an id, too, but no trace is stored under it. */
function messageIn(payload: string): string | undefined {
  const { message_id: id } = JSON.parse(payload) as { message_id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** Calls to the host of a session carry the trace context; a host without tracing ignores it. */
export function traceBus(bus: Bus, spans: Spans): Bus {
  return {
    serve: (subject, handle) =>
      bus.serve(subject, (request) => {
        const { traceparent, action } = (request ?? {}) as { traceparent?: unknown; action?: unknown };
        if (typeof traceparent !== 'string') return handle(request);
        const attributes = { 'parley.action': String(action) };
        return spans.inside({ name: `host ${action}`, kind: 'server', attributes, parent: traceparent }, () =>
          handle(request),
        );
      }),
    call(subject, request, options) {
      const traceparent = spans.current();
      if (traceparent === undefined || typeof request !== 'object' || request === null)
        return bus.call(subject, request, options);
      return bus.call(subject, { ...request, traceparent }, options);
    },
    publish: (topic, message) => bus.publish(topic, message),
    subscribe: (topic, listener) => bus.subscribe(topic, listener),
    check: () => bus.check(),
    close: () => bus.close(),
  };
}

const LOOK_EVERY_MS = 60_000;
const PER_STEP = 500;
/** Covers webhook retries and most receipts. */
const KEPT_MS = 3 * DAY_MS;

export function startTraceRetention({
  store,
  clock,
  log,
}: {
  store: Pick<Store, 'transaction'>;
  clock: Clock;
  log: JobLog;
}): PeriodicJob {
  return startPeriodicJob({
    clock,
    log,
    everyMs: LOOK_EVERY_MS,
    name: 'trace-retention',
    async work(stopping) {
      while (!stopping.aborted && (await dropTraces(store, clock.now() - KEPT_MS, PER_STEP)) === PER_STEP);
    },
  });
}
