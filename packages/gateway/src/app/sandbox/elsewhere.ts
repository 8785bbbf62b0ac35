import { bodyWithFilesMaxBytes } from '@parley/sandbox/control';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Config, ConfigError, SETTINGS } from '#config';
import { ApiError, apiErrorFrom, type Clock } from '#kernel';
import {
  createSandboxClient,
  ENDPOINT_PATH,
  type Endpoint,
  findEndpoint,
  LONGEST_ANSWER_MS,
  PREFIX,
  type SandboxClient,
  visitThrough,
} from './client.ts';
import { followClock } from './follow-clock.ts';
import { requireToken, type SandboxInterface, type VirtualNetworkParts } from './mount.ts';

/** A virtual network in another process; its clock is this process's clock. */
interface NetworkElsewhere extends Endpoint, SandboxInterface {
  close(): Promise<void>;
}

export async function findVirtualNetwork({
  url,
  config: { operatorToken },
  ...parts
}: { url: string; config: Pick<Config, 'operatorToken'>; machineClock: Clock } & Pick<
  VirtualNetworkParts,
  'clock' | 'arrived' | 'random' | 'log'
>): Promise<NetworkElsewhere> {
  const client = createSandboxClient({ url, operatorToken, clock: parts.machineClock });
  try {
    const endpoint = await findEndpoint(client);
    const stopFollowing = await followClock({ ...parts, client });
    return {
      ...endpoint,
      mount: (http) => forwardSandbox(http, { client, operatorToken }),
      visit: visitThrough(client),
      async close() {
        stopFollowing();
        await client.close();
      },
    };
  } catch (error) {
    await client.close();
    throw new ConfigError(
      `no sandbox answers at ${url}; start one (parley sandbox) or correct ${SETTINGS.sandboxUrl.name}`,
      { cause: error },
    );
  }
}

/** Mounts the interface of a remote virtual network on a server, behind the same token as a local one. */
function forwardSandbox(
  http: FastifyInstance,
  { client, operatorToken }: { client: SandboxClient; operatorToken: string | undefined },
): void {
  async function forward({ method, url, headers, body }: FastifyRequest, reply: FastifyReply) {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    try {
      const answer = await client.ask({
        method,
        path: url,
        contentType: headers['content-type'],
        body: body instanceof Buffer && body.length > 0 ? body : undefined,
        timeoutMs: LONGEST_ANSWER_MS,
        signal: gone.signal,
      });
      if (answer.contentType !== '') reply.header('Content-Type', answer.contentType);
      return reply.status(answer.status).send(answer.body.length > 0 ? answer.body : undefined);
    } catch (error) {
      if (gone.signal.aborted) return reply;
      if (error instanceof ApiError) throw error;
      throw apiErrorFrom(error, 'network_unreachable');
    }
  }

  http.register(
    async (scope) => {
      if (operatorToken !== undefined) requireToken(scope, operatorToken);
      takeBodiesAsTheyAre(scope);
      scope.all('/*', { bodyLimit: bodyWithFilesMaxBytes }, forward);
    },
    { prefix: PREFIX },
  );
  http.get(ENDPOINT_PATH, forward);
}

function takeBodiesAsTheyAre(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
