import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Compat } from '#compat';
import type { Config } from '#config';
import { createBodyBudget, createHttpServer, type HttpServerOptions, type Route } from '#http';
import { type Clock, type Fault, faultBecause } from '#kernel';
import { type Metrics, registerBodyMetrics } from '#ops';
import type { Portal } from '#portal';
import { referencePages } from '#reference';
import type { RequestLog } from '#request-log';
import { isPassing } from '#store';
import { servedHere } from './served-here.ts';

interface HttpParts extends Pick<HttpServerOptions, 'gatekeeper' | 'ids' | 'log' | 'traces'> {
  readonly routes: readonly Route[];
  readonly portal: Pick<Portal, 'sites' | 'gate'>;
  readonly compat: Pick<Compat, 'surfaces'>;
  readonly metrics: Pick<Metrics, 'observeAnswer' | 'registry'>;
  readonly requestLog: Pick<RequestLog, 'note'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly secure: boolean;
  readonly version: string;
}

/** All that a process with these roles answers, ready to listen. */
export function openHttp(
  config: Config,
  { routes, portal, compat, metrics, requestLog, clock, version, ...parts }: HttpParts,
): FastifyInstance {
  const servesApi = config.roles.has('api');
  const servesPortal = config.roles.has('portal');
  const bodies = createBodyBudget({ maxBytes: config.maxBodiesMb * 1024 * 1024, log: parts.log });
  registerBodyMetrics(metrics.registry, bodies);
  const baseUrl = (): string => config.publicUrl ?? http.listeningOrigin;
  const http: FastifyInstance = createHttpServer({
    ...parts,
    routes: servedHere(routes, config.roles),
    pages: servesApi ? referencePages({ baseUrl, version, network: config.network }) : [],
    sites: servesPortal ? portal.sites : [],
    surfaces: servesApi ? compat.surfaces() : [],
    browserGate: servesPortal ? portal.gate : undefined,
    operatorToken: config.operatorToken,
    translate: storeFault,
    bodies,
    bodyFolder: join(config.dataDir, 'bodies'),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    start: servesPortal ? '/portal' : servesApi ? '/docs' : undefined,
    onAnswered(answered) {
      metrics.observeAnswer(answered);
      if (answered.keyed) requestLog.note(answered.keyed);
    },
    now: () => clock.now(),
  });
  return http;
}

function storeFault(error: unknown): Fault | undefined {
  return isPassing(error) ? faultBecause(error, 'store_unreachable') : undefined;
}
