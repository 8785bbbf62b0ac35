import {
  compileRequest,
  type Operation,
  type RawRequest,
  REQUEST_BODY_MAX_BYTES,
  successStatus,
} from '@parley/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type Fault, fault, type Ids } from '#kernel';
import { answerSocketError, createErrorAnswerer } from './answers.ts';
import type { Caller, Gatekeeper, OwnedNumber, Soon } from './caller.ts';
import { checkKey, checkOperatorToken, checkOwnership } from './checks.ts';
import { addPage, type Page } from './page.ts';
import type { Call, Route } from './route.ts';
import { compileSerializer } from './serialize.ts';

export interface HttpServerOptions {
  readonly routes: readonly Route[];
  readonly pages?: readonly Page[];
  readonly gatekeeper: Gatekeeper;
  readonly operatorToken: string | undefined;
  readonly ids: Pick<Ids, 'request'>;
  readonly log: FastifyBaseLogger;
  /** Public words for errors of the rooms below, such as a database out of reach. */
  readonly translate?: (error: unknown) => Fault | undefined;
  /** Told of every answer, for metrics. */
  readonly onAnswered?: (answered: Answered) => void;
}

export interface Answered {
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    page?: true;
  }
}

const HEADER_MAX_BYTES = 16 * 1024;
const REQUEST_ARRIVES_WITHIN_MS = 30_000;
/** Longer than the usual 60 s of load balancers, so that they and not we close an idle connection. */
const IDLE_CONNECTION_KEPT_MS = 72_000;
const PATH_PARAMETER_MAX_LENGTH = 512;

/** Builds the HTTP side without listening: a test injects requests, the process listens. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { ids, log, onAnswered } = options;
  const answerError = createErrorAnswerer(options.translate);
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request would cost a tenth of the request; what is logged names the request itself.
    childLoggerFactory: (logger) => logger,
    genReqId: () => ids.request(),
    requestIdHeader: false,
    bodyLimit: REQUEST_BODY_MAX_BYTES,
    requestTimeout: REQUEST_ARRIVES_WITHIN_MS,
    keepAliveTimeout: IDLE_CONNECTION_KEPT_MS,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_LENGTH, ignoreTrailingSlash: false },
    http: { maxHeaderSize: HEADER_MAX_BYTES },
    clientErrorHandler: answerSocketError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  });

  server.decorateRequest('caller', undefined);
  server.setSerializerCompiler(compileSerializer);
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((request, reply) => answerError(fault('not_found'), request, reply));
  parseJsonStrictly(server);

  server.addHook('onResponse', (request, reply, done) => {
    onAnswered?.({
      operation: nameOf(request.routeOptions.config),
      method: request.method,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
    done();
  });

  const { routes, pages = [] } = options;
  for (const route of routes) addRoute(server, route, options);
  for (const page of pages) addPage(server, page);
  refuseOtherMethods(server, [
    ...routes.map(({ operation: { method, path } }) => ({ method, url: fastifyPath(path) })),
    ...pages.map(({ path }) => ({ method: 'GET', url: path })),
  ]);
  return server;
}

function nameOf({ operation, page }: FastifyContextConfig): string {
  return operation?.id ?? (page ? 'page' : 'unknown');
}

function addRoute(server: FastifyInstance, { operation, handle }: Route, options: HttpServerOptions): void {
  const parse = compileRequest(operation);
  const status = successStatus(operation);
  const answer = operation.answers[status];

  server.route({
    method: operation.method,
    url: fastifyPath(operation.path),
    config: { operation },
    schema: answer && !operation.answerType ? { response: { [status]: answer } } : {},
    onRequest: (request, _reply, done) => {
      letIn(request, operation, options, done);
    },
    handler: async (request, reply) => {
      const input = parse(request as RawRequest);
      if (!input.ok) throw fault('invalid_field', { text: input.text });
      const found = findNumber(operation, input.value, request.caller, options.gatekeeper);
      const number = found instanceof Promise ? await found : found;
      const body = await handle(new RequestCall(request, reply, input.value, number) as Call);
      if (reply.sent) return reply;
      reply.status(status);
      if (operation.answerType) reply.type(operation.answerType);
      return body ?? reply.send();
    },
  });
}

/** Callbacks instead of promises: a key that is known costs no turn of the event loop. */
function letIn(
  request: FastifyRequest,
  operation: Operation,
  { gatekeeper, operatorToken }: HttpServerOptions,
  done: (error?: Error) => void,
): void {
  try {
    if (operation.surface === 'operator') checkOperatorToken(request, operatorToken);
    if (operation.surface === 'v1') {
      const found = checkKey(request, operation, gatekeeper);
      if (found instanceof Promise) {
        found.then((caller) => {
          request.caller = caller;
          done();
        }, done);
        return;
      }
      request.caller = found;
    }
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

function findNumber(
  operation: Operation,
  input: { params: unknown; body: unknown },
  caller: Caller | undefined,
  gatekeeper: Gatekeeper,
): Soon<OwnedNumber | undefined> {
  if (!caller) return undefined;
  if (operation.subject === 'session') {
    return checkOwnership((input.params as { id?: unknown }).id, 'id', caller, gatekeeper);
  }
  if (operation.subject === 'body_session') {
    return checkOwnership(
      (input.body as { session_id?: unknown }).session_id,
      'session_id',
      caller,
      gatekeeper,
    );
  }
  return undefined;
}

/** A class, so that what a handler does not ask for costs nothing. */
class RequestCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly number: OwnedNumber | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    input: { params: unknown; query: unknown; body: unknown },
    number: OwnedNumber | undefined,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.number = number;
    this.#request = request;
    this.#reply = reply;
  }

  get caller(): Caller | undefined {
    return this.#request.caller;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  readonly header = (name: string): string | undefined =>
    this.#request.headers[name.toLowerCase()]?.toString();

  readonly setHeader = (name: string, value: string | number): void => {
    this.#reply.header(name, value);
  };
}

/** An empty body is no body; anything else must be JSON and must not smuggle prototypes. */
function parseJsonStrictly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body as string, done);
  });
}

/** A path that exists answers 405 to a method that it does not have, and says which ones it has. */
function refuseOtherMethods(
  server: FastifyInstance,
  served: readonly { readonly method: string; readonly url: string }[],
): void {
  for (const [url, endpoints] of Map.groupBy(served, (endpoint) => endpoint.url)) {
    const allowed = new Set(endpoints.map(({ method }) => method));
    if (allowed.has('GET')) allowed.add('HEAD');
    const refused = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (method) => !allowed.has(method),
    );
    server.route({
      method: refused,
      url,
      handler: async (_request, reply) => {
        reply.header('Allow', [...allowed].join(', '));
        throw fault('method_not_allowed');
      },
    });
  }
}

/** `/v1/sessions/{id}` → `/v1/sessions/:id` */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, ':$1');
}
