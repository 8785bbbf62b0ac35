import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { type Sandbox, startSandbox } from '@parley/sandbox';
import { type MediaFetcher, sandboxRoutes } from '@parley/sandbox/control';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';
import type { Egress } from '#egress';
import { checkOperatorToken } from '#http';
import { Fault, type Random, type TravelClock } from '#kernel';
import type { Log } from '#ops';
import type { AskSandbox } from '#portal';
import { createTimeTravel } from './time-travel.ts';

export interface VirtualNetworkParts {
  readonly config: Pick<Config, 'dataDir' | 'operatorToken'>;
  readonly clock: TravelClock;
  readonly random: Random;
  readonly egress: Pick<Egress, 'download'>;
  readonly log: Log;
}

const PREFIX = '/sandbox/v1';
const DOWNLOAD_MS = 30_000;

/** Runs the network of virtual phones inside this process. It is another party: it has its own ports and its own database file. */
export async function startVirtualNetwork(parts: VirtualNetworkParts): Promise<Sandbox> {
  const { config, clock, random, log } = parts;
  const sandbox = await startSandbox({ file: path.join(config.dataDir, 'sandbox.db'), clock, random, log });
  createTimeTravel(sandbox.world.vault, clock).resume();
  return sandbox;
}

/** Puts the interface of the virtual network on the gateway's own port, behind the operator's token where there is one. */
export function mountSandbox(http: FastifyInstance, sandbox: Sandbox, parts: VirtualNetworkParts): void {
  const { config } = parts;
  const { world, desk } = sandbox;
  const clock = createTimeTravel(world.vault, parts.clock);
  http.register(
    async (scope) => {
      if (config.operatorToken !== undefined) requireToken(scope, config.operatorToken);
      await scope.register(sandboxRoutes({ world, desk, clock, fetcher: fetcherOf(parts) }));
    },
    { prefix: PREFIX },
  );
}

/** Asks by the interface that everybody uses, with the operator's token where one is needed. */
export function askThrough(http: () => FastifyInstance, operatorToken: string | undefined): AskSandbox {
  const headers = operatorToken === undefined ? {} : { authorization: `Bearer ${operatorToken}` };
  return async ({ method, path: wanted, body }) => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await http().inject({
      method,
      url: PREFIX + wanted,
      headers: { ...headers, ...contentType },
      ...payload,
    });
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
  };
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

/** A virtual phone downloads what it is told to send by the same guarded way as the gateway. */
function fetcherOf({ config, random, egress }: VirtualNetworkParts): MediaFetcher {
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
      } finally {
        await rm(toFile, { force: true });
      }
    },
  };
}
