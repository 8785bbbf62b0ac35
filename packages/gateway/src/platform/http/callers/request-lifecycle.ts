import { ERROR_CODE_HEADER } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError, createSystemClock, type LineLog, writeLine } from '#kernel';
import type { Caller, KeyHolder, MaybePromise } from './caller.ts';

export interface Answered {
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
  /** Set for a request with an account's key. */
  readonly keyed?: KeyedRequest;
}

/** A request with a key, as its owner may see it: without its content. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly method: string;
  /** Without the query, which may contain a search text or a number. */
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
  readonly requestId: string;
  /** Text of the error, if it was refused. */
  readonly error?: string | undefined;
}

/** Entry of every request and exit of every response. Called directly: as framework hooks it would cost more than all checks. */
export interface RequestLifecycle {
  /** Throws when the gateway is closing. */
  enter(request: FastifyRequest): void;
  /** Called with every response just before it leaves, with its final status. `to` is the target: an operation, or a page. */
  onResponse(
    request: FastifyRequest,
    reply: FastifyReply,
    to: string,
    answer?: { readonly error?: string; readonly body?: unknown },
  ): void;
  /** From now on new requests are refused as closing, and responses in progress are the last on their connections. */
  close(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    enteredAt: number | undefined;
    /** Holder of its key, whether or not that key has the permission. */
    keyHolder: KeyHolder | undefined;
  }
}

/** Durations use the machine's clock, even where the gateway's own clock was moved. */
const stopwatch = createSystemClock();

export function createRequestLifecycle(
  log: LineLog<'debug' | 'info'>,
  onAnswered: (answered: Answered) => void = () => {},
): RequestLifecycle {
  let closed = false;
  return {
    enter(request) {
      request.enteredAt = stopwatch.monotonic();
      if (closed) throw apiError('shutting_down');
    },
    onResponse(request, reply, to, { error, body } = {}) {
      if (closed) reply.header('Connection', 'close');
      const now = stopwatch.monotonic();
      const { keyHolder } = request;
      const answered = {
        operation: to,
        status: reply.statusCode,
        seconds: (now - (request.enteredAt ?? now)) / 1_000,
      };
      logRequest(log, request, reply, answered, body);
      onAnswered(
        keyHolder ? { ...answered, keyed: keyedRequest(keyHolder, request, answered, error) } : answered,
      );
    },
    close() {
      closed = true;
    },
  };
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

function logRequest(
  log: LineLog<'debug' | 'info'>,
  { method, headers, id: requestId, keyHolder, caller, routeOptions: { config } }: FastifyRequest,
  reply: FastifyReply,
  { operation, status, seconds }: Answered,
  body: unknown,
): void {
  const accountId = (keyHolder ?? caller)?.accountId;
  const errorCode = reply.getHeader(ERROR_CODE_HEADER);
  writeLine(log, READING.has(method) && status < 400 ? 'debug' : 'info', 'request', {
    requestId,
    surface: config.operation?.surface ?? config.foreign?.split('.', 1)[0] ?? 'page',
    operation,
    status,
    ms: Math.round(seconds * 1_000),
    ...(headers['content-length'] !== undefined && { bytes: Number(headers['content-length']) }),
    ...(accountId !== undefined && { accountId }),
    ...(keyHolder && { keyId: keyHolder.keyId }),
    ...(errorCode !== undefined && { errorCode: String(errorCode) }),
    ...(isAboutMessage(body) && { messageId: body.message_id }),
  });
}

function isAboutMessage(body: unknown): body is { readonly message_id: string } {
  return typeof body === 'object' && body !== null && 'message_id' in body;
}

function keyedRequest(
  { accountId, keyId }: KeyHolder,
  { method, url, id: requestId }: FastifyRequest,
  { status, seconds }: Answered,
  error: string | undefined,
): KeyedRequest {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return { accountId, keyId, method, path, status, seconds, requestId, error };
}

/** Uses callbacks instead of promises: a known key costs no turn of the event loop. */
export function admit(
  request: FastifyRequest,
  gate: RequestLifecycle,
  authenticate: () => MaybePromise<Caller | undefined>,
  done: (error?: Error) => void,
): void {
  const enter = (caller: Caller | undefined): void => {
    request.caller = caller;
    done();
  };
  let found: MaybePromise<Caller | undefined>;
  try {
    gate.enter(request);
    found = authenticate();
  } catch (error) {
    done(error as Error);
    return;
  }
  if (found instanceof Promise) found.then(enter, done);
  else enter(found);
}
