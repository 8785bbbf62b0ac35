import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSystemClock, fault } from '#kernel';

export interface Answered {
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Where every request comes in and every answer leaves. Called by whoever answers: hooked in, it would cost more than all the checks. */
export interface RequestGate {
  /** Throws when the gateway is closing. */
  enter(request: FastifyRequest): void;
  /** Called with every answer just before it leaves, its status already set. `to` is what was asked for: an operation, or a page. */
  onResponse(request: FastifyRequest, reply: FastifyReply, to: string): void;
  /** From now on whoever comes is told to come again, and the answers under way are the last on their connections. */
  close(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    enteredAt: number | undefined;
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
    onResponse(request, reply, to) {
      if (closed) reply.header('Connection', 'close');
      const now = stopwatch.monotonic();
      onAnswered({
        operation: to,
        status: reply.statusCode,
        seconds: (now - (request.enteredAt ?? now)) / 1_000,
      });
    },
    close() {
      closed = true;
    },
  };
}
