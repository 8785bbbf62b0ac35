import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type Complaint, type Permission, REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type ApiError, apiError } from '#kernel';
import type { createErrorAnswerer } from './answers.ts';
import { disposeOfFiles } from './bodies/body-files.ts';
import { sendRefusal } from './bodies/drain.ts';
import { takeForms } from './bodies/forms.ts';
import { checkText, parseJsonStrictly, refuseNulInUrl } from './bodies/json.ts';
import { readText } from './bodies/read.ts';
import { fileIn, leaveFile, takeFiles } from './bodies/uploads.ts';
import type { Caller, Gatekeeper, KeyHolder, MaybePromise } from './callers/caller.ts';
import { checkKey } from './callers/checks.ts';
import { admit, type RequestLifecycle } from './callers/request-lifecycle.ts';
import { type BodyOf, type CompatInput, compileInput, type QueryOf } from './compat-input.ts';
import { LazyRequestContext, type Reached } from './request-context.ts';
import type { Asking, Invoke } from './route.ts';

/** Another program's interface: its paths, its key scheme, its errors. Operations of `/v1` do the work behind it. */
export interface CompatApi {
  readonly name: string;
  /** Prefix of all of its paths; begins with a slash. */
  readonly prefix: string;
  /** Host that serves its paths without the prefix, and nothing else. */
  readonly host?: string | undefined;
  /** Extracts the key of a request, in this surface's scheme. */
  keyOf(request: CompatRawRequest): string | undefined;
  /** Renders an error in the format of this surface. */
  refusal(refused: ApiError): CompatResponse;
  /** Renders a validation error in the format of this surface; like any other error when absent. */
  invalid?(complaint: Complaint): CompatError;
  readonly endpoints: readonly CompatEndpoint[];
}

export interface CompatEndpoint<I extends CompatInput = CompatInput, Subject = unknown> {
  /** Name in metrics. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the framework's syntax: `/message/sendText/:instance`. */
  readonly path: string;
  /** Needs no key. */
  readonly open?: true;
  /** Permission of the key, checked before the body is read; `none` where any key is enough. */
  readonly permission?: Permission | 'none';
  /** Schemas of path, query and body. Path and query are checked before the body is read. */
  readonly input?: I;
  /** Maximum body size; the default when absent. */
  readonly bodyMaxBytes?: number;
  /** Maximum number of entries in a list response. */
  readonly pageMax?: number;
  /** The body is streamed to the handler without parsing. */
  readonly takesFile?: true;
  /**
   * The body may be a form, too: its fields, and its files as `BodyFile` under their names. These members of its JSON may be base64
   * files, and are `BodyFile` as well unless they are short. The rest has the size limit of any other body.
   */
  readonly fileFields?: readonly string[];
  /** Looks up the resource that the path names, before the body is read; rejects when the caller does not have it. */
  find?(visit: CompatVisit<I>): Promise<Subject>;
  handle(call: CompatRequest<I, Subject>): Promise<CompatResponse>;
}

interface CompatRawRequest {
  readonly query: Readonly<Record<string, unknown>>;
  header(name: string): string | undefined;
}

/** A request with an accepted key whose body has not been read. */
export interface CompatVisit<I extends CompatInput = CompatInput> extends Omit<Asking, 'caller'> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<I>;
  header(name: string): string | undefined;
  /** The key of the request. */
  readonly key: string;
  /** Its holder; absent on an open endpoint. */
  readonly caller: KeyHolder;
  /** Runs operations as this caller. */
  readonly invoke: Invoke;
}

export interface CompatRequest<I extends CompatInput = CompatInput, Subject = unknown>
  extends CompatVisit<I> {
  /** A stream where the endpoint takes a file. */
  readonly body: BodyOf<I>;
  /** The result of `find`. */
  readonly subject: Subject;
}

/** Gives `handle` the types that `input` and `find` declare. */
export function compatEndpoint<I extends CompatInput, Subject>(
  endpoint: CompatEndpoint<I, Subject>,
): CompatEndpoint {
  return endpoint;
}

export interface CompatResponse {
  /** 200 when absent. */
  readonly status?: number;
  /** JSON, or raw bytes. */
  readonly body: unknown;
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: CompatVisit | undefined;
    visitSubject: unknown;
  }
}

/** An error in a surface's own format, sent unchanged. */
export class CompatError extends Error {
  readonly answer: CompatResponse;

  /** `reason` appears in the request log, so it contains nothing from the request. */
  constructor(status: number, body: unknown, reason = 'refused by a surface') {
    super(reason);
    this.answer = { status, body };
  }
}

interface Parts extends Reached {
  readonly gate: RequestLifecycle;
  readonly gatekeeper: Gatekeeper;
  readonly invokeAs: (asking: Asking) => Invoke;
  readonly answererOf: (
    shape: (refused: ApiError) => CompatResponse,
  ) => ReturnType<typeof createErrorAnswerer>;
}

/** Finds a surface by the host of a request; undefined when none has that host. */
export function findApiByHost(
  surfaces: readonly CompatApi[],
): ((request: Pick<IncomingMessage, 'headers' | 'url'>) => string) | undefined {
  const prefixes = new Map(
    surfaces.flatMap(({ host, prefix }) => (host === undefined ? [] : [[host, prefix]])),
  );
  if (prefixes.size === 0) return undefined;
  return ({ headers, url = '/' }) => (prefixes.get(headers.host?.toLowerCase() ?? '') ?? '') + url;
}

export function addCompatApi(server: FastifyInstance, surface: CompatApi, parts: Parts): void {
  const answerFault = parts.answererOf((refused) => surface.refusal(refused));
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (!(error instanceof CompatError)) {
      answerFault(error, request, reply);
      return;
    }
    const { status = 400, body } = error.answer;
    reply.status(status).removeHeader('connection');
    parts.gate.onResponse(request, reply, idOf(request), { error: error.message });
    sendRefusal(request, reply, () => send(reply, body));
  };

  server.register(
    async (scope) => {
      parseJsonStrictly(scope);
      scope.addContentTypeParser('application/x-www-form-urlencoded', (request, body, done) => {
        readText(request, body, (error, text) => {
          const fields = Object.fromEntries(new URLSearchParams(text));
          done(error ?? checkText('form', fields) ?? null, fields);
        });
      });
      scope.setErrorHandler(answerError);
      scope.setNotFoundHandler((request, reply) => answerError(apiError('not_found'), request, reply));
      for (const endpoint of surface.endpoints) {
        const add = (to: FastifyInstance): void => addEndpoint(to, surface, endpoint, parts);
        if (endpoint.takesFile) takeFiles(scope, add);
        else if (endpoint.fileFields) takeForms(scope, endpoint.fileFields, add);
        else add(scope);
      }
    },
    { prefix: surface.prefix },
  );
}

function addEndpoint(
  scope: FastifyInstance,
  surface: CompatApi,
  endpoint: CompatEndpoint,
  parts: Parts,
): void {
  const { gate, gatekeeper } = parts;
  const id = `${surface.name}.${endpoint.id}`;
  const refuse = ({ field, text }: Complaint): Error =>
    surface.invalid?.({ field, text }) ?? apiError('invalid_field', { text });
  const input = compileInput(endpoint.input ?? {}, refuse);

  const keyOf = (request: FastifyRequest): string => surface.keyOf(requestOf(request)) ?? '';
  const authenticate = (request: FastifyRequest): MaybePromise<Caller | undefined> =>
    endpoint.open ? undefined : checkKey(request, keyOf(request), endpoint, gatekeeper);

  function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | undefined,
  ): MaybePromise<Caller | undefined> {
    refuseNulInUrl(request);
    request.caller = caller;
    const asked = input.readUrl(
      request as { params: Record<string, unknown>; query: Record<string, unknown> },
    );
    const visit = visitOf(request, reply, asked, keyOf(request), parts);
    request.visit = visit;
    return (
      endpoint.find?.(visit).then((subject) => {
        request.visitSubject = subject;
        return caller;
      }) ?? caller
    );
  }

  async function handle(request: FastifyRequest): Promise<CompatResponse> {
    try {
      const body = endpoint.takesFile ? fileIn(request) : input.readBody(request.body);
      const visit = request.visit as CompatVisit;
      return await endpoint.handle({ ...visit, body, subject: request.visitSubject });
    } finally {
      if (endpoint.takesFile) leaveFile(request);
      await disposeOfFiles(request);
    }
  }

  scope.route({
    method: endpoint.method as HTTPMethods,
    url: endpoint.path,
    config: { foreign: id, endpoint },
    bodyLimit: endpoint.bodyMaxBytes ?? REQUEST_BODY_MAX_BYTES,
    onRequest: (request, reply, done) =>
      admit(
        request,
        gate,
        () => {
          const found = authenticate(request);
          return found instanceof Promise
            ? found.then((caller) => enter(request, reply, caller))
            : enter(request, reply, found);
        },
        done,
      ),
    handler: async (request, reply) => {
      const { status = 200, body: answer } = await handle(request);
      reply.status(status);
      gate.onResponse(request, reply, id);
      return send(reply, answer);
    },
  });
}

/** Sends bytes and streams unchanged, whatever the content type; everything else as JSON. */
function send(reply: FastifyReply, body: unknown): FastifyReply {
  if (body instanceof Uint8Array || isStream(body) || typeof body === 'string') return reply.send(body);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}

function idOf({ routeOptions: { config } }: FastifyRequest): string {
  return config.foreign ?? 'unknown';
}

function requestOf(request: FastifyRequest): CompatRawRequest {
  return {
    query: request.query as Record<string, unknown>,
    header: (name) => request.headers[name.toLowerCase()]?.toString(),
  };
}

function visitOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { params, query }: { readonly params: Record<string, string>; readonly query: Record<string, unknown> },
  key: string,
  parts: Parts,
): CompatVisit {
  const context = new LazyRequestContext(
    request,
    reply,
    { params, query, body: undefined },
    undefined,
    parts,
  );
  const { requestId, address, origin, header, setHeader } = context;
  const asking = { requestId, address, origin, signal: context.signal, setHeader };
  const caller = request.caller as KeyHolder;
  return { ...asking, params, query, header, key, caller, invoke: parts.invokeAs({ ...asking, caller }) };
}
