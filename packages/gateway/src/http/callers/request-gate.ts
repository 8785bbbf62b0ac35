import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSystemClock, fault } from '#kernel';
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
  onResponse(request: FastifyRequest, reply: FastifyReply, to: string, error?: string): void;
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

export function createRequestGate(onAnswered: (answered: Answered) => void = () => {}): RequestGate {
  let closed = false;
  return {
    enter(request) {
      request.enteredAt = stopwatch.monotonic();
      if (closed) throw fault('shutting_down');
    },
    onResponse(request, reply, to, error) {
      if (closed) reply.header('Connection', 'close');
      const now = stopwatch.monotonic();
      const { keyHolder } = request;
      const answered = {
        operation: to,
        status: reply.statusCode,
        seconds: (now - (request.enteredAt ?? now)) / 1_000,
      };
      onAnswered(
        keyHolder ? { ...answered, keyed: keyedRequest(keyHolder, request, answered, error) } : answered,
      );
    },
    close() {
      closed = true;
    },
  };
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
