import { bodyWithFilesMaxBytes } from '@parley/sandbox/control';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault, faultBecause } from '#kernel';
import type { SandboxClient } from './client.ts';
import { ENDPOINT_PATH } from './endpoint.ts';
import { PREFIX, requireToken } from './mount.ts';

/** Longer than anything that a virtual phone is asked to do. */
const FORWARD_MS = 60_000;

/** Puts the interface of a virtual network elsewhere on a server, behind the same token as one inside. */
export function forwardSandbox(
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
        timeoutMs: FORWARD_MS,
        signal: gone.signal,
      });
      if (answer.contentType !== '') reply.header('Content-Type', answer.contentType);
      return reply.status(answer.status).send(answer.body.length > 0 ? answer.body : undefined);
    } catch (error) {
      if (gone.signal.aborted) return reply;
      if (error instanceof Fault) throw error;
      throw faultBecause(error, 'network_unreachable');
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
