import { bodyLimit, compileRequest, type Operation, type RawRequest, successStatus } from '@parley/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type Fault, fault, type Ids, type RequestTraces } from '#kernel';
import { createErrorAnswerer, createSocketErrorAnswerer, type ErrorShape } from './answers.ts';
import { keepBodyFiles } from './bodies/body-files.ts';
import { type BodyBudget, createBodyBudget } from './bodies/budget.ts';
import { compileSerializer, parseJsonStrictly, refuseNulInUrl } from './bodies/json.ts';
import { countBodies } from './bodies/read.ts';
import { fileIn, leaveFile, takeFiles } from './bodies/uploads.ts';
import { admit } from './callers/admit.ts';
import { type Authenticators, authenticate, authenticateOperator } from './callers/authenticate.ts';
import type { Caller } from './callers/caller.ts';
import { findNumber } from './callers/checks.ts';
import { type Answered, createRequestGate, type RequestGate } from './callers/request-gate.ts';
import { addForeignSurface, type ForeignEndpoint, type ForeignSurface, surfaceByHost } from './foreign.ts';
import { createInvoker } from './invoke.ts';
import { type Endpoint, refuseOtherMethods } from './other-methods.ts';
import { addPages, addRedirect, addSite, type Page, type Site } from './pages.ts';
import { LazyRequestContext, type RequestContext } from './request-context.ts';
import { nameRequest, ownRequestId } from './request-id.ts';
import type { Route } from './route.ts';
import { traced } from './traced.ts';

export interface HttpServerOptions extends Authenticators {
  readonly routes: readonly Route[];
  readonly pages?: readonly Page[];
  readonly sites?: readonly Site[];
  /** Interfaces of other programs, on top of the routes. */
  readonly surfaces?: readonly ForeignSurface[];
  readonly ids: Pick<Ids, 'request'>;
  readonly log: FastifyBaseLogger;
  /** Public words for errors of the rooms below, such as a database out of reach. */
  readonly translate?: (error: unknown) => Fault | undefined;
  /** Told of every answer, for metrics. */
  readonly onAnswered?: (answered: Answered) => void;
  readonly traces?: RequestTraces | undefined;
  /** Clients come over https, through a proxy before us. */
  readonly secure?: boolean;
  /** Where clients reach us, whatever a request says. */
  readonly publicUrl?: string | undefined;
  /** Addresses and ranges of the proxies that may say whom they speak for. */
  readonly trustedProxies?: readonly string[];
  /** The address to which `/` leads; without one there is nothing. */
  readonly start?: string | undefined;
  /** What bodies of requests may take of the memory, all together; 64 MiB when absent. */
  readonly bodies?: BodyBudget;
  /** Where files that come inside of requests lie until they are answered; a folder for passing files of the machine when absent. */
  readonly bodyFolder?: string;
  readonly deadlines?: ArrivalDeadlines;
  /** The time that browsers are told, so that pages count from there; the machine's when absent. */
  readonly now?: () => number;
}

/** How long a request may take to arrive, from the first byte or, on a new connection, from its beginning. A file may take longer while it flows. */
interface ArrivalDeadlines {
  readonly headersMs: number;
  /** Its body included. */
  readonly requestMs: number;
  /** Half requests live so much longer at most. */
  readonly checkEveryMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    /** Every route carries exactly one of these: an operation, a page, what it is in another program's interface, or that it only refuses methods. */
    operation?: Operation;
    page?: true;
    foreign?: string;
    endpoint?: Pick<ForeignEndpoint, 'bodyMaxBytes' | 'pageMax' | 'permission' | 'open'>;
    refused?: true;
  }
}

/** Of requests to what is nowhere. Routes have limits of their own. */
const UNKNOWN_BODY_MAX_BYTES = 4 * 1024;
const HEADER_MAX_BYTES = 16 * 1024;
const ARRIVES_WITHIN: ArrivalDeadlines = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 5_000 };
/** Longer than the usual 60 s of load balancers, so that they and not we close an idle connection. */
const IDLE_CONNECTION_KEPT_MS = 72_000;
const STANDARD_BODIES_BYTES = 64 * 1024 * 1024;
const PATH_PARAMETER_MAX_LENGTH = 512;

/** Builds the HTTP side without listening: a test injects requests, the process listens. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { ids, log, deadlines = ARRIVES_WITHIN } = options;
  const gate = createRequestGate(log, options.onAnswered);
  const answers = { log, translate: options.translate, onResponse: gate.onResponse };
  const answerError = createErrorAnswerer(answers);
  const { surfaces = [] } = options;
  const answererOf = (shape: ErrorShape) => createErrorAnswerer({ ...answers, shape });
  const rewriteUrl = surfaceByHost(surfaces);
  // Without a logger of its own: with one the framework would watch every answer and make a logger for every request, at a tenth of the
  // request's cost.
  const server = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => ownRequestId(headers) ?? ids.request(),
    requestIdHeader: false,
    ...(rewriteUrl && { rewriteUrl }),
    ...(options.trustedProxies?.length && { trustProxy: [...options.trustedProxies] }),
    bodyLimit: UNKNOWN_BODY_MAX_BYTES,
    requestTimeout: deadlines.requestMs,
    keepAliveTimeout: IDLE_CONNECTION_KEPT_MS,
    forceCloseConnections: 'idle',
    // It would answer in the framework's words.
    return503OnClosing: false,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_LENGTH, ignoreTrailingSlash: false },
    http: {
      maxHeaderSize: HEADER_MAX_BYTES,
      headersTimeout: deadlines.headersMs,
      connectionsCheckingInterval: deadlines.checkEveryMs,
    },
    clientErrorHandler: createSocketErrorAnswerer(ids),
    // What it refuses before it looks for a route: the prefix alone says whose words to answer in.
    frameworkErrors: (error, request, reply) => {
      const surface = surfaces.find(({ prefix }) => request.url.startsWith(`${prefix}/`));
      const answer = surface ? answererOf((refused) => surface.refusal(refused)) : answerError;
      answer(error, request, reply as FastifyReply);
    },
  });

  keepBodyFiles(server, options.bodyFolder);
  countBodies(server, options.bodies ?? createBodyBudget({ maxBytes: STANDARD_BODIES_BYTES }));
  server.decorateRequest('caller', undefined);
  server.decorateRequest('enteredAt', undefined);
  server.decorateRequest('keyHolder', undefined);
  server.decorateRequest('visit', undefined);
  server.decorateRequest('visitSubject', undefined);
  server.setSerializerCompiler(compileSerializer);
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((request, reply) => answerError(fault('not_found'), request, reply));
  parseJsonStrictly(server);

  server.addHook('onRequest', (request, reply, done) => {
    nameRequest(request, reply);
    done(namesOneHost(request) ? undefined : fault('host_twice'));
  });
  server.addHook('preClose', (done) => {
    gate.close();
    done();
  });

  const { routes, pages = [], sites = [] } = options;
  for (const route of routes) {
    const add = (scope: FastifyInstance): void => addRoute(scope, route, { ...options, gate });
    if (route.operation.takesFile) takeFiles(server, add);
    else add(server);
  }
  addPages(server, pages, gate);
  for (const site of sites) addSite(server, site, gate);
  const foreign = {
    ...options,
    gate,
    invokeAs: createInvoker(routes, options.gatekeeper),
    answererOf,
  };
  for (const surface of surfaces) addForeignSurface(server, surface, foreign);
  if (options.start !== undefined) addRedirect(server, '/', options.start, gate);
  const served = [
    ...routes.map(({ operation }) => endpointOf(operation, options)),
    ...[...pages, ...sites].map(({ path }) => ({ method: 'GET', url: path })),
    ...(options.start === undefined ? [] : [{ method: 'GET', url: '/' }]),
    ...sites.map(({ path }) => ({ method: 'GET', url: `${path}/*` })),
  ];
  refuseOtherMethods(server, served, { maxParamLength: PATH_PARAMETER_MAX_LENGTH });
  return server;
}

function endpointOf({ method, path, surface }: Operation, authenticators: Authenticators): Endpoint {
  const url = fastifyPath(path);
  if (surface !== 'operator') return { method, url };
  return { method, url, guard: (request) => authenticateOperator(request, authenticators) };
}

function addRoute(
  server: FastifyInstance,
  { operation, handle }: Route,
  options: HttpServerOptions & { readonly gate: RequestGate },
): void {
  const { gate } = options;
  const parse = compileRequest(operation);
  const status = successStatus(operation);
  const answer = operation.answers[status];

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    refuseNulInUrl(request);
    const input = parse(request as RawRequest);
    if (!input.ok) throw fault('invalid_field', { text: input.text });
    const found = findNumber(operation, input.value, request.caller, options.gatekeeper);
    const number = found instanceof Promise ? await found : found;
    const asked = operation.takesFile ? { ...input.value, body: fileIn(request) } : input.value;
    const context = new LazyRequestContext(request, reply, asked, number, options);
    const handled = handle(context as RequestContext);
    const body = await (operation.takesFile ? handled.finally(() => leaveFile(request)) : handled);
    if (reply.sent) return reply;
    reply.status(context.status ?? status);
    if (operation.answerType && !reply.hasHeader('Content-Type')) reply.type(operation.answerType);
    gate.onResponse(request, reply, operation.id, { body });
    return body ?? reply.send();
  }

  server.route({
    // In one route: of its own accord the framework makes another for HEAD, at the same cost.
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    exposeHeadRoute: false,
    url: fastifyPath(operation.path),
    config: { operation },
    bodyLimit: bodyLimit(operation),
    schema: answer && !operation.answerType ? { response: { [status]: answer } } : {},
    onRequest: (request, reply, done) => {
      if (SEEN_IN_BROWSERS.has(operation.surface)) prepareForBrowsers(reply, options.now);
      admit(request, gate, () => authenticate(request, operation, options), done);
    },
    handler: options.traces ? traced(operation, respond, options.traces) : respond,
  });
}

const HOST = 'host';
const SEEN_IN_BROWSERS: ReadonlySet<Operation['surface']> = new Set([
  'operator',
  'portal',
  'portal_entrance',
] as const);

function prepareForBrowsers(reply: FastifyReply, now: HttpServerOptions['now']): void {
  // A browser must not keep what it showed to one for the next who sits before it.
  reply.header('Cache-Control', 'no-store');
  if (now) reply.header('Date', new Date(now()).toUTCString());
}

/** Of two hosts, a proxy before us may have gone by the other one. */
function namesOneHost({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts <= 1;
}

/** `/v1/sessions/{id}` → `/v1/sessions/:id` */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{([^{}]+)\}/g, ':$1');
}
