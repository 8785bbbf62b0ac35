import { bodyLimit, compileRequest, type Operation, type RawRequest, successStatus } from '@parley/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import { type ApiError, apiError, type Clock, type Ids, type RequestTraces } from '#kernel';
import {
  createErrorAnswerer,
  createSocketErrorAnswerer,
  type ErrorShape,
  nameRequest,
  ownRequestId,
} from './answers.ts';
import { keepBodyFiles } from './bodies/body-files.ts';
import { type BodyBudget, createBodyBudget } from './bodies/budget.ts';
import { compileSerializer, parseJsonStrictly, refuseNulInUrl } from './bodies/json.ts';
import { countBodies } from './bodies/read.ts';
import { fileIn, leaveFile, takeFiles } from './bodies/uploads.ts';
import { type Authenticators, authenticate, authenticateOperator } from './callers/authenticate.ts';
import type { Caller } from './callers/caller.ts';
import { findNumber } from './callers/checks.ts';
import {
  type Answered,
  admit,
  createRequestLifecycle,
  type RequestLifecycle,
} from './callers/request-lifecycle.ts';
import { addCompatApi, type CompatApi, type CompatEndpoint, findApiByHost } from './compat-api.ts';
import { type Endpoint, refuseOtherMethods } from './other-methods.ts';
import { addPages, addRedirect, addSite, type Page, type Site } from './pages.ts';
import { LazyRequestContext, type RequestContext } from './request-context.ts';
import { createInvoker, type Route } from './route.ts';

export interface HttpServerOptions extends Authenticators {
  readonly routes: readonly Route[];
  readonly pages?: readonly Page[];
  readonly sites?: readonly Site[];
  /** Interfaces of other programs, beside the routes. */
  readonly surfaces?: readonly CompatApi[];
  readonly ids: Pick<Ids, 'request'>;
  readonly log: FastifyBaseLogger;
  /** Public errors for errors of lower rooms, such as an unreachable database. */
  readonly translate?: (error: unknown) => ApiError | undefined;
  /** Called for every response, for metrics. */
  readonly onAnswered?: (answered: Answered) => void;
  readonly traces?: RequestTraces | undefined;
  /** Clients use https, through a proxy before us. */
  readonly secure?: boolean;
  /** The public address, whatever the request's headers say. */
  readonly publicUrl?: string | undefined;
  /** Addresses and ranges of proxies that are trusted to report the client's address. */
  readonly trustedProxies?: readonly string[];
  /** The target of `/`; without it `/` does not exist. */
  readonly start?: string | undefined;
  /** Memory budget for all request bodies; 64 MiB when absent. */
  readonly bodies?: BodyBudget;
  /** Folder of uploaded files until their request is answered; the machine's folder for temporary files when absent. */
  readonly bodyFolder?: string;
  readonly deadlines?: ArrivalDeadlines;
  /** Time that browsers are given as a reference; the machine's when absent. */
  readonly now?: () => number;
}

/** Time for a request to arrive, from the first byte or, on a new connection, from its start. A file may take longer while it flows. */
interface ArrivalDeadlines {
  readonly headersMs: number;
  /** Its body included. */
  readonly requestMs: number;
  /** Incomplete requests live at most this much longer. */
  readonly checkEveryMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    /**
     * Every route has exactly one of these: an operation, a page, a role in another program's interface, or only the refusal of other
     * methods.
     */
    operation?: Operation;
    page?: true;
    foreign?: string;
    endpoint?: Pick<CompatEndpoint, 'bodyMaxBytes' | 'pageMax' | 'permission' | 'open'>;
    refused?: true;
  }
}

/** For requests to unknown paths. Routes have limits of their own. */
const UNKNOWN_BODY_MAX_BYTES = 4 * 1024;
const HEADER_MAX_BYTES = 16 * 1024;
const ARRIVES_WITHIN: ArrivalDeadlines = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 5_000 };
/** Longer than the usual 60 s of load balancers, so that they close an idle connection first. */
const IDLE_CONNECTION_KEPT_MS = 72_000;
const STANDARD_BODIES_BYTES = 64 * 1024 * 1024;
const PATH_PARAMETER_MAX_LENGTH = 512;

/** Builds the HTTP side without listening: a test injects requests, the process listens. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { ids, log, deadlines = ARRIVES_WITHIN } = options;
  const gate = createRequestLifecycle(log, options.onAnswered);
  const answers = { log, translate: options.translate, onResponse: gate.onResponse };
  const answerError = createErrorAnswerer(answers);
  const { surfaces = [] } = options;
  const answererOf = (shape: ErrorShape) => createErrorAnswerer({ ...answers, shape });
  const rewriteUrl = findApiByHost(surfaces);
  // Without its own logger: with one the framework would observe every response and create a logger per request, at a tenth of the
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
    // It would answer with the framework's text.
    return503OnClosing: false,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_LENGTH, ignoreTrailingSlash: false },
    http: {
      maxHeaderSize: HEADER_MAX_BYTES,
      headersTimeout: deadlines.headersMs,
      connectionsCheckingInterval: deadlines.checkEveryMs,
    },
    clientErrorHandler: createSocketErrorAnswerer(ids),
    // Errors before routing: the prefix alone decides the error format.
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
  server.setNotFoundHandler((request, reply) => answerError(apiError('not_found'), request, reply));
  parseJsonStrictly(server);

  server.addHook('onRequest', (request, reply, done) => {
    nameRequest(request, reply);
    done(namesOneHost(request) ? undefined : apiError('host_twice'));
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
  for (const surface of surfaces) addCompatApi(server, surface, foreign);
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
  options: HttpServerOptions & { readonly gate: RequestLifecycle },
): void {
  const { gate } = options;
  const parse = compileRequest(operation);
  const status = successStatus(operation);

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    refuseNulInUrl(request);
    const input = parse(request as RawRequest);
    if (!input.ok) throw apiError('invalid_field', { text: input.text });
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
    // In one route: by default the framework adds another for HEAD, at the same cost.
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    exposeHeadRoute: false,
    url: fastifyPath(operation.path),
    config: { operation },
    bodyLimit: bodyLimit(operation),
    schema: operation.answerType ? {} : { response: answerSchemas(operation) },
    onRequest: (request, reply, done) => {
      if (SEEN_IN_BROWSERS.has(operation.surface)) prepareForBrowsers(reply, options.now);
      admit(request, gate, () => authenticate(request, operation, options), done);
    },
    handler: options.traces ? traced(operation, respond, options.traces) : respond,
  });
}

/** Schemas of the JSON bodies, by status. */
function answerSchemas({ answers }: Operation): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(answers).filter((entry): entry is [string, TSchema] => entry[1] !== null),
  );
}

const HOST = 'host';
const SEEN_IN_BROWSERS: ReadonlySet<Operation['surface']> = new Set([
  'operator',
  'portal',
  'portal_entrance',
] as const);

function prepareForBrowsers(reply: FastifyReply, now: HttpServerOptions['now']): void {
  // The browser must not show cached content to its next user.
  reply.header('Cache-Control', 'no-store');
  if (now) reply.header('Date', new Date(now()).toUTCString());
}

/** With two hosts, a proxy before us may have used the other one. */
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

type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Continues the trace of the caller's `traceparent`, or begins one. */
function traced(
  { method, path: route, id: operation }: Operation,
  respond: Respond,
  traces: RequestTraces,
): Respond {
  return (request, reply) => {
    const { traceparent } = request.headers;
    const named = { method, route, operation, requestId: request.id };
    return traces.serving(
      {
        ...named,
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
        status: () => reply.statusCode,
      },
      () => respond(request, reply),
    );
  };
}

const FINISH_REQUESTS_MS = 10_000;

/** Refuses new requests, and finishes those in progress. */
export async function closeServer(http: FastifyInstance, clock: Pick<Clock, 'after'>): Promise<void> {
  // A client that has not sent the rest of a request by then, or does not read its response, is cut off.
  const patience = clock.after(FINISH_REQUESTS_MS, () => http.server.closeAllConnections());
  await http.close();
  patience.cancel();
}
