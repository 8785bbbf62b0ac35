import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { compileParse, OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import type { Sandbox } from '@parley/sandbox';
import {
  bodyWithFilesMaxBytes,
  createReception,
  type MediaFetcher,
  type Reception,
  sandboxRoutes,
} from '@parley/sandbox/control';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { EgressError } from '#egress';
import { checkOperatorToken } from '#http';
import { Fault } from '#kernel';
import { PREFIX } from './client.ts';
import { ENDPOINT_PATH, endpointView } from './endpoint.ts';
import { TRAVELS_PATH, type Travelled } from './follow-clock.ts';
import type { VirtualNetworkParts } from './start.ts';
import { createFollowers, createTimeTravel, type Followers } from './time-travel.ts';
import { parseVisit, VISITS_PATH } from './visits.ts';

/** The two ways into a virtual network, wherever it runs. */
export interface SandboxInterface {
  /** Puts its interface on a server, behind the operator's token where there is one. */
  mount(http: FastifyInstance): void;
  /** For accounts, each of which has some of its phones. */
  readonly visit: Reception;
}

/** The interface of the virtual network inside this process. */
export function openSandbox(sandbox: Sandbox, parts: VirtualNetworkParts): SandboxInterface {
  const { operatorToken } = parts.config;
  const { world, pairing } = sandbox;
  const travel = createTimeTravel(world.vault, parts.clock);
  const followers = createFollowers({ clock: parts.machineClock, travelled: travel.travelled });
  const clock = {
    now: travel.now,
    async advance(ms: number) {
      travel.advance(ms);
      await Promise.all([followers.arrived(), parts.arrived?.()]);
    },
  };
  const control = { world, pairing, clock, fetcher: createMediaFetcher(parts) };
  const visit = createReception(control);
  return {
    visit,
    mount(http) {
      http.register(
        async (scope) => {
          scope.setChildLoggerFactory(() => parts.log);
          if (operatorToken !== undefined) requireToken(scope, operatorToken);
          tellTravels(scope, followers);
          receiveVisits(scope, visit);
          await scope.register(sandboxRoutes(control));
        },
        { prefix: PREFIX },
      );
      // Nothing in it is a secret, and other gateways must find it.
      http.get(ENDPOINT_PATH, async () => endpointView(sandbox));
    },
  };
}

/** For the accounts of gateways elsewhere, who vouch for them with the operator's token. */
function receiveVisits(scope: FastifyInstance, visit: Reception): void {
  scope.post(
    VISITS_PATH.slice(PREFIX.length),
    { bodyLimit: bodyWithFilesMaxBytes },
    async (request, reply) => {
      const given = parseVisit(request.body);
      return given.ok ? visit(given.value) : reply.status(400).send({ error: given.text });
    },
  );
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

const DOWNLOAD_MS = 30_000;

/** A virtual phone downloads what it is told to send by the same guarded way as the gateway. */
function createMediaFetcher({ config, random, egress }: VirtualNetworkParts): MediaFetcher {
  return {
    async fetch(url) {
      const name = Buffer.from(random.bytes(8)).toString('hex');
      const toFile = path.join(config.dataDir, `sandbox-download-${name}`);
      try {
        const { mimetype } = await egress.download(url, {
          toFile,
          maxBytes: OUTBOUND_MEDIA_MAX_BYTES,
          timeoutMs: DOWNLOAD_MS,
        });
        return { bytes: await readFile(toFile), mimetype };
      } catch (error) {
        if (error instanceof EgressError) return undefined;
        throw error;
      } finally {
        await rm(toFile, { force: true });
      }
    },
  };
}
