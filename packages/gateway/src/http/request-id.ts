import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const REQUEST_ID = 'X-Request-Id';
/** Nothing that could be mistaken for something else in a log. */
const ALLOWED = /^[A-Za-z0-9_-]{1,64}$/;

/** The name that the caller gave to its request, such as that of a trace through several services. */
export function ownRequestId(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-request-id'];
  return typeof own === 'string' && ALLOWED.test(own) ? own : undefined;
}

/** Says under which name the log knows the request. */
export function nameRequest({ id }: Pick<FastifyRequest, 'id'>, reply: FastifyReply): void {
  reply.header(REQUEST_ID, id);
}
