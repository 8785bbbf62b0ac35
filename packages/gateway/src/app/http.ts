import { join } from 'node:path';
import type { Surface } from '@parley/contract';
import type { FastifyInstance } from 'fastify';
import type { Config, Role } from '#config';
import { type ApiError, apiErrorFrom, type Clock, waitAtMost } from '#kernel';
import {
  closeServer,
  createBodyBudget,
  createHttpServer,
  type HttpServerOptions,
  type Route,
} from '#platform/http';
import { type Metrics, registerBodyMetrics } from '#platform/observe';
import type { RequestLog } from '#platform/request-log';
import { isPassing } from '#platform/store';
import type { Compat } from '#surfaces/compat';
import { createPortal, type Portal } from '#surfaces/portal';
import { referencePages } from '#surfaces/reference';
import { allRoutes, type RoutesParts } from './routes.ts';
import type { SandboxInterface } from './sandbox/index.ts';

interface Parts extends RoutesParts {
  readonly compat: Compat;
  readonly requestLog: RequestLog;
  /** The phones of the virtual network, wherever it runs. */
  readonly phones: SandboxInterface | undefined;
}

export interface Server {
  readonly http: FastifyInstance;
  /** Resolves when the server is closed; undefined while it serves. */
  closed(): Promise<void> | undefined;
}

const HAND_OVER_AFTER_MS = 1_000;

/** The portal and everything that this process serves by HTTP. */
export function openServer(config: Config, parts: Parts, opened: AsyncDisposableStack): Server {
  const { base, common, sessions, phones, streams } = parts;
  const { store, clock, machineClock, log, traces, metrics, version } = base;
  const isProduction = config.mode === 'production';
  const secure = config.publicUrl?.startsWith('https:') ?? isProduction;
  const portal = createPortal({
    ...{ store, clock, machineClock, secure, directory: common.directory },
    ...{ accounts: parts.accounts, billing: parts.billing, webhooks: parts.webhooks },
    ...{ life: parts.life, exports: parts.exports, health: parts.health, history: parts.history },
    ...{
      states: sessions.states,
      linking: sessions.linking,
      logins: sessions.logins,
      ownerLinks: sessions.ownerLinks,
    },
    sends: parts.sends,
    signUpIsOpen: config.signUp === 'open',
    operatorToken: config.operatorToken,
    askSandbox: isProduction ? undefined : phones?.visit,
  });
  const http = openHttp(config, {
    ...{ portal, compat: parts.compat, metrics, requestLog: parts.requestLog, clock, log, secure, traces },
    ...{ ids: common.ids, gatekeeper: common.directory, version },
    routes: [...allRoutes(config, parts), ...portal.routes],
  });
  phones?.mount(http);
  let closed: Promise<void> | undefined;
  opened.defer(() => {
    closed = closeServer(http, machineClock);
    // Requests finish first, but sessions do not wait for slow ones: another process is to host them soon.
    return waitAtMost(machineClock, HAND_OVER_AFTER_MS, closed).then(() => {});
  });
  opened.defer(() => streams.close());
  opened.defer(() => portal.close());
  return { http, closed: () => closed };
}

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

/** Everything that a process with these roles serves, ready to listen. */
function openHttp(
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
    routes: routesOfRoles(routes, config.roles),
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

function storeFault(error: unknown): ApiError | undefined {
  return isPassing(error) ? apiErrorFrom(error, 'store_unreachable') : undefined;
}

/** The roles that serve each surface. The portal shows the pages of the operator too; every process answers for its own health. */
const ROLES_OF_SURFACE: Record<Surface, readonly Role[] | 'every'> = {
  v1: ['api'],
  signed: ['api', 'portal'],
  operator: ['api', 'portal'],
  portal: ['portal'],
  portal_entrance: ['portal'],
  public: 'every',
};

/** Those routes that a process with these roles serves; it does not know the others. */
function routesOfRoles(routes: readonly Route[], roles: ReadonlySet<Role>): Route[] {
  return routes.filter(({ operation }) => {
    const bringers = ROLES_OF_SURFACE[operation.surface];
    return bringers === 'every' || bringers.some((role) => roles.has(role));
  });
}

/** Where clients reach this gateway. */
interface PublicUrl {
  /** In development without a setting: where the server listens; undefined until it does. */
  current(): string | undefined;
  follow(http: FastifyInstance): void;
}

export function createPublicUrl({ publicUrl, mode }: Config): PublicUrl {
  let http: FastifyInstance | undefined;
  return {
    current() {
      if (publicUrl !== undefined || mode === 'production') return publicUrl;
      return http?.server.listening ? http.listeningOrigin : undefined;
    },
    follow(server) {
      http = server;
    },
  };
}
