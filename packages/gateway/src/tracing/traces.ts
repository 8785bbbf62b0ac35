import type { DeliveryTraces, RequestTraces, SendTraces } from '#kernel';
import { Fault } from '#kernel';
import type { Store } from '#store';
import type { Spans } from './spans.ts';
import { findTrace } from './store.ts';
import { keepTrace } from './write-commands.ts';

interface Traces extends RequestTraces, SendTraces, DeliveryTraces {}

/** One journey from the request that a message came with, over the network's ack, to the webhooks that tell of it. */
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
          noted.note({ 'http.response.status_code': error instanceof Fault ? error.status : 500 });
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

/** The message that an event tells of. One that came from somebody has an id too, which no journey is kept under. */
function messageIn(payload: string): string | undefined {
  const { message_id: id } = JSON.parse(payload) as { message_id?: unknown };
  return typeof id === 'string' ? id : undefined;
}
