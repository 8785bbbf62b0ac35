import { compileParse } from '@parley/contract';
import type { Sandbox } from '@parley/sandbox';
import { sandboxRoutes } from '@parley/sandbox/control';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { checkOperatorToken } from '#http';
import { Fault } from '#kernel';
import { ENDPOINT_PATH, endpointView } from './endpoint.ts';
import { createMediaFetcher } from './fetch-media.ts';
import { TRAVELS_PATH, type Travelled } from './follow-clock.ts';
import { createFollowers, type Followers } from './followers.ts';
import type { VirtualNetworkParts } from './start.ts';
import { createTimeTravel } from './time-travel.ts';

export const PREFIX = '/sandbox/v1';

/** Puts the interface of the virtual network on a server, behind the operator's token where there is one. */
export function mountSandbox(http: FastifyInstance, sandbox: Sandbox, parts: VirtualNetworkParts): void {
  const { operatorToken } = parts.config;
  const { world, desk } = sandbox;
  const travel = createTimeTravel(world.vault, parts.clock);
  const followers = createFollowers({ clock: parts.machineClock, travelled: travel.travelled });
  const clock = {
    now: travel.now,
    async advance(ms: number) {
      travel.advance(ms);
      await followers.arrived();
    },
  };
  const fetcher = createMediaFetcher(parts);
  http.register(
    async (scope) => {
      scope.setChildLoggerFactory(() => parts.log);
      if (operatorToken !== undefined) requireToken(scope, operatorToken);
      tellTravels(scope, followers);
      await scope.register(sandboxRoutes({ world, desk, clock, fetcher }));
    },
    { prefix: PREFIX },
  );
  // Nothing in it is a secret, and other gateways must find it.
  http.get(ENDPOINT_PATH, async () => endpointView(sandbox));
}

const parseQuestion = compileParse(
  Type.Object({
    follower: Type.String({ minLength: 1, maxLength: 64 }),
    at: Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }),
  }),
);

function tellTravels(scope: FastifyInstance, followers: Followers): void {
  scope.addHook('preClose', async () => followers.close());
  scope.get(TRAVELS_PATH.slice(PREFIX.length), async (request, reply) => {
    const question = parseQuestion(request.query);
    if (!question.ok) return reply.status(400).send({ error: question.text });
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const { follower, at } = question.value;
    const travelled = await followers.follow(follower, Number(at), gone.signal);
    return { travelled_ms: travelled } satisfies Type.Static<typeof Travelled>;
  });
}

/** Answers by itself: the routes below have their own words for errors and do not know ours. */
export function requireToken(scope: FastifyInstance, operatorToken: string): void {
  scope.addHook('onRequest', async (request, reply) => {
    try {
      checkOperatorToken(request, operatorToken);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return reply.status(error.status).send({ error: error.message });
    }
  });
}
