import type { Sandbox } from '@parley/sandbox';
import { sandboxRoutes } from '@parley/sandbox/control';
import type { FastifyInstance } from 'fastify';
import { checkOperatorToken } from '#http';
import { Fault } from '#kernel';
import { ENDPOINT_PATH, endpointView } from './endpoint.ts';
import { createMediaFetcher } from './fetch-media.ts';
import type { VirtualNetworkParts } from './start.ts';
import { createTimeTravel } from './time-travel.ts';

export const PREFIX = '/sandbox/v1';

/** Puts the interface of the virtual network on a server, behind the operator's token where there is one. */
export function mountSandbox(http: FastifyInstance, sandbox: Sandbox, parts: VirtualNetworkParts): void {
  const { operatorToken } = parts.config;
  const { world, desk } = sandbox;
  const clock = createTimeTravel(world.vault, parts.clock);
  const fetcher = createMediaFetcher(parts);
  http.register(
    async (scope) => {
      if (operatorToken !== undefined) requireToken(scope, operatorToken);
      await scope.register(sandboxRoutes({ world, desk, clock, fetcher }));
    },
    { prefix: PREFIX },
  );
  // Nothing in it is a secret, and other gateways must find it.
  http.get(ENDPOINT_PATH, async () => endpointView(sandbox));
}

/** Answers by itself: the routes below have their own words for errors and do not know ours. */
function requireToken(scope: FastifyInstance, operatorToken: string): void {
  scope.addHook('onRequest', async (request, reply) => {
    try {
      checkOperatorToken(request, operatorToken);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return reply.status(error.status).send({ error: error.message });
    }
  });
}
