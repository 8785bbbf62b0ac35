import type { Operation } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestTraces } from '#kernel';

type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Goes on with the journey that the caller's `traceparent` names, or begins one. */
export function traced(
  { method, path: route, id: operation }: Operation,
  respond: Respond,
  traces: RequestTraces,
): Respond {
  return (request, reply) => {
    const { traceparent } = request.headers;
    const named = { method, route, operation, requestId: request.id };
    return traces.serving(
      {
        ...named,
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
        status: () => reply.statusCode,
      },
      () => respond(request, reply),
    );
  };
}
