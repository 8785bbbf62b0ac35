import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fault } from '#kernel';
import type { Soon } from './caller.ts';

export interface Endpoint {
  readonly method: string;
  /** In the form of the framework. */
  readonly url: string;
  /** Asked before a caller learns anything about the path. */
  readonly guard?: ((request: FastifyRequest) => Soon<unknown>) | undefined;
}

/** A path that exists answers 405 to a method that it does not have, and says which ones it has. */
export function refuseOtherMethods(server: FastifyInstance, served: readonly Endpoint[]): void {
  for (const [url, endpoints] of Map.groupBy(served, (endpoint) => endpoint.url)) {
    const allowed = new Set(endpoints.map(({ method }) => method));
    if (allowed.has('GET')) allowed.add('HEAD');
    const allow = [...allowed].join(', ');
    server.route({
      method: server.supportedMethods.filter((method) => !allowed.has(method)),
      url,
      config: { allow },
      onRequest: async (request, reply) => {
        await endpoints[0]?.guard?.(request);
        reply.header('Allow', allow);
        throw fault('method_not_allowed');
      },
      handler: () => {},
    });
  }
}
