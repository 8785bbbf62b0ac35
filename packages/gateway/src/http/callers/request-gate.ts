import { ERROR_CODE_HEADER } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSystemClock, fault, type LineLog, writeLine } from '#kernel';
import type { KeyHolder } from './caller.ts';

export interface Answered {
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
  /** Where a key of an account has asked. */
  readonly keyed?: KeyedRequest;
}

/** A request by a key, as its owner may see it: nothing of what was in it. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly method: string;
  /** Without the query, in which a search or a number may stand. */
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
  readonly requestId: string;
  /** The words of the answer, where it was refused. */
  readonly error?: string | undefined;
}

/** Where every request comes in and every answer leaves. Called by whoever answers: hooked in, it would cost more than all the checks. */
export interface RequestGate {
  /** Throws when the gateway is closing. */
  enter(request: FastifyRequest): void;
  /** Called with every answer just before it leaves, its status already set. `to` is what was asked for: an operation, or a page. */
  onResponse(
    request: FastifyRequest,
    reply: FastifyReply,
    to: string,
    answer?: { readonly error?: string; readonly body?: unknown },
  ): void;
  /** From now on whoever comes is told to come again, and the answers under way are the last on their connections. */
  close(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    enteredAt: number | undefined;
    /** Whose key it came with, whether or not that key may do what was asked for. */
    keyHolder: KeyHolder | undefined;
  }
}

/** How long somebody waited is the machine's time, wherever the gateway's own clock has travelled meanwhile. */
const stopwatch = createSystemClock();

export function createRequestGate(
  log: LineLog<'debug' | 'info'>,
  onAnswered: (answered: Answered) => void = () => {},
): RequestGate {
  let closed = false;
  return {
    enter(request) {
      request.enteredAt = stopwatch.monotonic();
      if (closed) throw fault('shutting_down');
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
