import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { compileParse, OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import type { Sandbox } from '@parley/sandbox';
import {
  bodyWithFilesMaxBytes,
  createGuestApi,
  type GuestApi,
  type MediaFetcher,
  sandboxRoutes,
} from '@parley/sandbox/control';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import Type from 'typebox';
import type { Config } from '#config';
import { ApiError, type Clock, type Random, type TravelClock } from '#kernel';
import { type Egress, EgressError } from '#platform/egress';
import { checkOperatorToken } from '#platform/http';
import type { Log } from '#platform/observe';
import { ENDPOINT_PATH, endpointView, PREFIX, parseVisit, VISITS_PATH } from './client.ts';
import { TRAVELS_PATH, type Travelled } from './follow-clock.ts';
import { createFollowers, createTimeTravel, type Followers } from './time-travel.ts';

export interface VirtualNetworkParts {
  readonly config: Pick<Config, 'dataDir' | 'operatorToken'>;
  readonly clock: TravelClock;
  /** Resolves when all following clocks of the process have arrived. */
  readonly arrived?: () => Promise<void>;
  /** Not affected by time travel. */
  readonly machineClock: Clock;
  readonly random: Random;
  readonly egress: Pick<Egress, 'download'>;
  readonly log: Log;
}

interface VirtualNetworkAddress {
  readonly host?: string;
  readonly announcedHost?: string | undefined;
  readonly port?: number;
  readonly mediaPorts?: readonly number[];
}

/**
 * Runs the network of virtual phones in this process. It is a separate party: it has its own ports, by default free ones on the
 * loopback address, and its own database file.
 */
export async function startVirtualNetwork(
  { config, clock, random, log }: VirtualNetworkParts,
  address: VirtualNetworkAddress = {},
): Promise<Sandbox> {
  // Loaded only by the process that runs it.
  const { startSandbox } = await import('@parley/sandbox');
  const file = path.join(config.dataDir, 'sandbox.db');
  const sandbox = await startSandbox({ file, clock, random, log, ...address });
  createTimeTravel(sandbox.world.vault, clock).resume();
  return sandbox;
}

/** Interfaces of a virtual network, wherever it runs. */
export interface SandboxInterface {
  /** Mounts its interface on a server, behind the operator's token if there is one. */
  mount(http: FastifyInstance): void;
  /** For accounts, each with access to some of its phones. */
  readonly visit: GuestApi;
}

/** Interface of the virtual network in this process. */
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
  const visit = createGuestApi(control);
  return {
    visit,
    mount(http) {
      http.register(
        async (scope) => {
          scope.setChildLoggerFactory(() => parts.log);
          if (operatorToken !== undefined) requireToken(scope, operatorToken);
          followTravels(scope, followers);
          receiveVisits(scope, visit);
          await scope.register(sandboxRoutes(control));
        },
        { prefix: PREFIX },
      );
      // Public: it contains no secret, and other gateways must find it.
      http.get(ENDPOINT_PATH, async (request) => {
        const host = URL.parse(`http://${request.headers.host}`)?.hostname;
        if (host !== undefined && isOperator(request, operatorToken)) sandbox.reachedBy(host);
        return endpointView(sandbox);
      });
    },
  };
}

/** For accounts of remote gateways, which authenticate with the operator's token. */
function receiveVisits(scope: FastifyInstance, visit: GuestApi): void {
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

function followTravels(scope: FastifyInstance, followers: Followers): void {
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

/** A stranger does not choose the addresses that others get. */
function isOperator(request: FastifyRequest, operatorToken: string | undefined): boolean {
  try {
    if (operatorToken !== undefined) checkOperatorToken(request, operatorToken);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

/** Answers errors itself: the routes below have their own error format. */
export function requireToken(scope: FastifyInstance, operatorToken: string): void {
  scope.addHook('onRequest', async (request, reply) => {
    try {
      checkOperatorToken(request, operatorToken);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return reply.status(error.status).send({ error: error.message });
    }
  });
}

const DOWNLOAD_MS = 30_000;

/** Virtual phones download files through the same guarded egress as the gateway. */
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

/** HTTP server of a standalone virtual network: logs each call in one short line, without its content. */
export function createCallServer(log: Pick<Log, 'info'>): FastifyInstance {
  const http = Fastify({ logController: new LogController({ disableRequestLogging: true }) });
  http.addHook('onResponse', async ({ method, url }, reply) => {
    const [path] = url.split('?');
    log.info({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'call');
  });
  return http;
}
