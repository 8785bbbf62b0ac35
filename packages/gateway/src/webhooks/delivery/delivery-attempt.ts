import {
  type DeliveryAttempt as AttemptRecord,
  DELIVERY_ANSWER_MAX_BYTES,
  UNRECORDED_KINDS,
  WEBHOOK_TIMEOUT_SECONDS,
} from '@parley/contract';
import {
  type DeliveryQueue,
  LIGHT_BYTES,
  type LoadedDelivery,
  type QueuedDelivery,
  redactJson,
} from '#events';
import {
  type Clock,
  createSemaphore,
  type DeliveryTraces,
  pauseBeforeRetry,
  type Random,
  WEBHOOK_RETRIES,
} from '#kernel';
import { type Egress, EgressError, type Posted } from '#platform/egress';
import { type Endpoint, type EndpointCache, OWN_FORMAT } from '../endpoints/endpoint-cache.ts';
import { signedHeaders } from '../endpoints/signing.ts';
import { type AnswerKeeper, ATTEMPTS_REMEMBERED, NO_ATTEMPTS } from '../history/answers.ts';
import { type Failure, failureOf } from '../receivers/failing.ts';
import type { RenderedRequest, WebhookFormats } from './formats.ts';
import type { DeliveryResult, UpdatedDelivery } from './write-commands.ts';

/** How a delivery's turn ended: what to write about it, and what it says about the receiver. */
export interface Outcome {
  /** Undefined: nothing; it waits as before. */
  readonly result: DeliveryResult | undefined;
  readonly receiver: 'works' | 'fails' | 'was not asked';
  /** Why, where it fails. */
  readonly failure?: Failure;
  /** How long the receiver took, where it was asked. */
  readonly ms?: number;
}

export interface DeliveryAttempt {
  /** Tries a delivery once. Does not reject for anything that a receiver does. */
  run(loaded: LoadedDelivery, signal: AbortSignal): Promise<Outcome>;
  /** Puts off a delivery that could not be tried for reasons of our own. */
  postpone(loaded: LoadedDelivery, error: unknown): Outcome;
}

const POSTPONED_MS = 30_000;
/** Of those with a large payload each takes megabytes while it is under way. */
const HEAVY_AT_ONCE = 8;
const TERMS = { timeoutMs: WEBHOOK_TIMEOUT_SECONDS * 1_000, keepBytes: DELIVERY_ANSWER_MAX_BYTES };

export function createDeliveryAttempt({
  egress,
  endpoints,
  clock,
  machineClock,
  random,
  queue,
  answerKeeper,
  log,
  formats = new Map(),
  traces,
}: {
  egress: Pick<Egress, 'post'>;
  endpoints: Pick<EndpointCache, 'find'>;
  clock: Clock;
  machineClock: Pick<Clock, 'monotonic' | 'now'>;
  random: Pick<Random, 'fraction'>;
  queue: Pick<DeliveryQueue, 'payloadOf'>;
  answerKeeper: AnswerKeeper;
  log: { warn(details: object, message: string): void };
  formats?: WebhookFormats | undefined;
  traces?: DeliveryTraces | undefined;
}): DeliveryAttempt {
  const heavy = createSemaphore(HEAVY_AT_ONCE);

  async function attempt(
    delivery: QueuedDelivery,
    payload: string | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const found = endpoints.find(delivery.webhookId);
    const endpoint = found instanceof Promise ? await found : found;
    if (!endpoint) return skipped(drop(delivery));
    if (!endpoint.active) return skipped(update(delivery, { status: 'paused' }));
    const url = endpoint.urls[delivery.category];
    // Between the change of a URL and the last delivery that was queued for the old one.
    if (!url) return skipped(settle(delivery, { status: 'dead' }));
    if (url !== delivery.url) return skipped(update(delivery, { url }));
    if (payload === undefined) return skipped(settle(delivery, { status: 'dead' }));

    const startedAt = clock.now();
    const started = machineClock.monotonic();
    const rendered = endpoint.format === OWN_FORMAT ? undefined : await render(endpoint, delivery, payload);
    if (rendered?.length === 0) return skipped(drop(delivery));
    const requests = rendered ?? [
      ownRequest(endpoint, delivery, payload, { now: startedAt, signedAt: machineClock.now() }),
    ];
    const answer = traces
      ? await postTraced(traces, { ...delivery, payload, accountId: endpoint.accountId }, requests, signal)
      : await postAll(requests, signal);
    if (answer instanceof EgressError && answer.code === 'cancelled') return skipped(undefined);
    const ms =
      answer instanceof EgressError && answer.leadsNowhere
        ? 0
        : Math.round(machineClock.monotonic() - started);
    const attempts = withAttempt(delivery.attempts, {
      at_unix: Math.floor(startedAt / 1_000),
      ...(answer instanceof EgressError ? { error: answer.message } : { status_code: answer.status }),
      duration_ms: ms,
    });
    const failure = failureOf(answer);
    const receivedText = answer instanceof EgressError ? failure : answer.answer;
    const keeping = answerKeeper.with(delivery, receivedText, failure === undefined);
    const answers = keeping instanceof Promise ? await keeping : keeping;
    if (failure)
      return {
        ...{ receiver: 'fails', failure, ms },
        result: afterFailure(delivery, { attempts, answers }, startedAt),
      };
    // The example of a test delivery is the only content that the queue itself holds; all else is redacted there from the beginning.
    const event = delivery.eventSeq === null ? redactJson(payload) : null;
    return {
      receiver: 'works',
      ms,
      result: settle(delivery, { status: 'delivered', attempts, answers, event }),
    };
  }

  function render(
    { format, options, accountId, slotId, phone }: Endpoint,
    { eventId, kind, url }: QueuedDelivery,
    payload: string,
  ): Promise<readonly RenderedRequest[]> {
    const known = formats.get(format);
    if (!known) throw new TypeError(`there is no webhook format ${format}`);
    const times = { now: clock.now(), signedAt: machineClock.now() };
    return known.render({ eventId, kind, payload, url, options, accountId, slotId, phone, ...times });
  }

  /** The last answer, or the first that is a failure. */
  async function postAll(
    requests: readonly RenderedRequest[],
    signal: AbortSignal,
  ): Promise<Posted | EgressError> {
    let last: Posted = { status: 200 };
    for (const { url, headers, body } of requests) {
      try {
        last = await egress.post(url, { headers: { ...headers }, body, ...TERMS, signal });
      } catch (error) {
        if (error instanceof EgressError) return error;
        throw error;
      }
      if (last.status < 200 || last.status >= 300) return last;
    }
    return last;
  }

  function postTraced(
    { delivering }: DeliveryTraces,
    delivery: Parameters<DeliveryTraces['delivering']>[0],
    requests: readonly RenderedRequest[],
    signal: AbortSignal,
  ): Promise<Posted | EgressError> {
    return delivering(
      delivery,
      (traceparent) =>
        postAll(
          traceparent === undefined
            ? requests
            : requests.map((each) => ({ ...each, headers: { ...each.headers, traceparent } })),
          signal,
        ),
      (answer) => (answer instanceof EgressError ? undefined : answer.status),
    );
  }

  /** The next attempt counts from the beginning of this one. */
  function afterFailure(
    delivery: QueuedDelivery,
    known: Pick<UpdatedDelivery, 'attempts' | 'answers'>,
    startedAt: number,
  ): DeliveryResult {
    const tries = delivery.tries + 1;
    const pause = pauseBeforeRetry(WEBHOOK_RETRIES, tries, random);
    if (pause === undefined) return settle(delivery, { status: 'dead', tries, ...known });
    return update(delivery, { tries, ...known, dueAt: startedAt + pause });
  }

  return {
    run(loaded, signal) {
      const { delivery, payload } = loaded;
      if (delivery.size <= LIGHT_BYTES) return attempt(delivery, payload, signal);
      return heavy.run(async () => attempt(delivery, await queue.payloadOf(loaded), signal));
    },
    postpone({ delivery }, error) {
      log.warn({ err: error, delivery: delivery.seq }, 'could not try a delivery');
      return skipped(update(delivery, { dueAt: clock.now() + POSTPONED_MS }));
    },
  };
}

function ownRequest(
  { id: webhookId, secrets }: Endpoint,
  { eventId, url }: QueuedDelivery,
  body: string,
  { now, signedAt }: { now: number; signedAt: number },
): RenderedRequest {
  const signing = { webhookId, eventId, secrets: secrets(now), now: signedAt };
  return { url, headers: signedHeaders(signing, body), body };
}

/** What is too fleeting to be recorded leaves nothing behind. */
function settle(delivery: QueuedDelivery, change: Partial<UpdatedDelivery>): DeliveryResult {
  return UNRECORDED_KINDS.has(delivery.kind) ? drop(delivery) : update(delivery, change);
}

function drop({ seq, tries }: QueuedDelivery): DeliveryResult {
  return { drop: true, seq, triesBefore: tries };
}

function update(delivery: QueuedDelivery, change: Partial<UpdatedDelivery>): DeliveryResult {
  const { seq, dueAt, tries, attempts } = delivery;
  const nothingElse = { status: null, url: null, event: null, answers: null };
  return { seq, triesBefore: tries, drop: false, dueAt, tries, attempts, ...nothingElse, ...change };
}

function skipped(result: DeliveryResult | undefined): Outcome {
  return { receiver: 'was not asked', result };
}

function withAttempt(attempts: string, attempt: AttemptRecord): string {
  const before: AttemptRecord[] = attempts === NO_ATTEMPTS ? [] : JSON.parse(attempts);
  return JSON.stringify([...before.slice(1 - ATTEMPTS_REMEMBERED), attempt]);
}
