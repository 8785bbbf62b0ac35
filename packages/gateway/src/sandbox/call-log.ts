import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Log } from '#ops';

/** A server for the interface of a virtual network that runs by itself: each call is one short line in the log, and nothing of what it carries. */
export function createCallServer(log: Pick<Log, 'info'>): FastifyInstance {
  const http = Fastify({ logController: new LogController({ disableRequestLogging: true }) });
  http.addHook('onResponse', async ({ method, url }, reply) => {
    const [path] = url.split('?');
    log.info({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'call');
  });
  return http;
}
