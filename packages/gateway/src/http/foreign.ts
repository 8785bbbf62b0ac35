import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type Complaint, type Permission, REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Fault, fault } from '#kernel';
import type { createErrorAnswerer } from './answers.ts';
import { disposeOfFiles } from './bodies/body-files.ts';
import { sendRefusal } from './bodies/drain.ts';
import { takeForms } from './bodies/forms.ts';
import { parseJsonStrictly, refuseNulInUrl } from './bodies/json.ts';
import { readText } from './bodies/read.ts';
import { checkText } from './bodies/text.ts';
import { fileIn, leaveFile, takeFiles } from './bodies/uploads.ts';
import { admit } from './callers/admit.ts';
import type { Caller, Gatekeeper, KeyHolder, Soon } from './callers/caller.ts';
import { checkKey } from './callers/checks.ts';
import type { RequestGate } from './callers/request-gate.ts';
import { type BodyOf, compileInput, type ForeignInput, type QueryOf } from './foreign-input.ts';
import type { Asking, Invoke } from './invoke.ts';
import { LazyRequestContext, type Reached } from './request-context.ts';

/** Another program's interface: its paths, its way to show a key, its errors. Behind it everything is done by operations of `/v1`. */
export interface ForeignSurface {
  readonly name: string;
  /** Under which all of its paths stand; begins with a slash. */
  readonly prefix: string;
  /** Where its paths stand without the prefix, and nothing else does. */
  readonly host?: string | undefined;
  /** The key that a request shows, in whichever way this surface does it. */
  keyOf(request: ForeignRequest): string | undefined;
  /** A refusal in the words of this surface. */
  refusal(refused: Fault): ForeignAnswer;
  /** What a schema has against a request, in the words of this surface; as any other refusal when absent. */
  invalid?(complaint: Complaint): ForeignRefusal;
  readonly endpoints: readonly ForeignEndpoint[];
}

export interface ForeignEndpoint<I extends ForeignInput = ForeignInput, Subject = unknown> {
  /** Names it in metrics. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the framework writes it: `/message/sendText/:instance`. */
  readonly path: string;
  /** Answered without a key. */
  readonly open?: true;
  /** What the key must be allowed to do, checked before the body is read; `none` where any key will do. */
  readonly permission?: Permission | 'none';
  /** What its path, its query and its body may hold. Path and query are checked before the body is read. */
  readonly input?: I;
  /** How large its body may be; as everywhere else when absent. */
  readonly bodyMaxBytes?: number;
  /** How many entries an answer has at most, where it is a list. */
  readonly pageMax?: number;
  /** Its body is not parsed but handed on as it arrives. */
  readonly takesFile?: true;
  /**
   * Its body may be a form too: its fields then, and its files as `BodyFile` under their names. These members of its JSON may be files in
   * base64, and are `BodyFile` as well where they are not short. What is left may be as long as any other body.
   */
  readonly fileFields?: readonly string[];
  /** Looks up what the path names, before the body is read; rejects when the caller has no such thing. */
  find?(visit: ForeignVisit<I>): Promise<Subject>;
  handle(call: ForeignCall<I, Subject>): Promise<ForeignAnswer>;
}

interface ForeignRequest {
  readonly query: Readonly<Record<string, unknown>>;
  header(name: string): string | undefined;
}

/** A request whose key was accepted and whose body is still to come. */
export interface ForeignVisit<I extends ForeignInput = ForeignInput> extends Omit<Asking, 'caller'> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<I>;
  header(name: string): string | undefined;
  /** The key that was shown. */
  readonly key: string;
  /** Whoever holds it; on an open endpoint nobody. */
  readonly caller: KeyHolder;
  /** As this caller. */
  readonly invoke: Invoke;
}

export interface ForeignCall<I extends ForeignInput = ForeignInput, Subject = unknown>
  extends ForeignVisit<I> {
  /** A stream where the endpoint takes a file. */
  readonly body: BodyOf<I>;
  /** What `find` has found. */
  readonly subject: Subject;
}

/** Has `handle` see what `input` and `find` declare. */
export function foreignEndpoint<I extends ForeignInput, Subject>(
  endpoint: ForeignEndpoint<I, Subject>,
): ForeignEndpoint {
  return endpoint;
}

export interface ForeignAnswer {
  /** 200 when absent. */
  readonly status?: number;
  /** JSON, or bytes as they are. */
  readonly body: unknown;
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: ForeignVisit | undefined;
    visitSubject: unknown;
  }
}

/** Thrown by a surface for what has a shape of its own, which leaves as it is. */
export class ForeignRefusal extends Error {
  readonly answer: ForeignAnswer;

  /** `reason` stands in the log of requests, so it repeats nothing that was in the request. */
  constructor(status: number, body: unknown, reason = 'refused by a surface') {
    super(reason);
    this.answer = { status, body };
  }
}

interface Parts extends Reached {
  readonly gate: RequestGate;
  readonly gatekeeper: Gatekeeper;
  readonly invokeAs: (asking: Asking) => Invoke;
  readonly answererOf: (shape: (refused: Fault) => ForeignAnswer) => ReturnType<typeof createErrorAnswerer>;
}

/** Finds a surface by the host that a request names; undefined when none has one. */
export function surfaceByHost(
  surfaces: readonly ForeignSurface[],
): ((request: Pick<IncomingMessage, 'headers' | 'url'>) => string) | undefined {
  const prefixes = new Map(
    surfaces.flatMap(({ host, prefix }) => (host === undefined ? [] : [[host, prefix]])),
  );
  if (prefixes.size === 0) return undefined;
  return ({ headers, url = '/' }) => (prefixes.get(headers.host?.toLowerCase() ?? '') ?? '') + url;
}

export function addForeignSurface(server: FastifyInstance, surface: ForeignSurface, parts: Parts): void {
  const answerFault = parts.answererOf((refused) => surface.refusal(refused));
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (!(error instanceof ForeignRefusal)) {
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
      scope.setNotFoundHandler((request, reply) => answerError(fault('not_found'), request, reply));
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
  surface: ForeignSurface,
  endpoint: ForeignEndpoint,
  parts: Parts,
): void {
  const { gate, gatekeeper } = parts;
  const id = `${surface.name}.${endpoint.id}`;
  const refuse = ({ field, text }: Complaint): Error =>
    surface.invalid?.({ field, text }) ?? fault('invalid_field', { text });
  const input = compileInput(endpoint.input ?? {}, refuse);

  const keyOf = (request: FastifyRequest): string => surface.keyOf(requestOf(request)) ?? '';
  const authenticate = (request: FastifyRequest): Soon<Caller | undefined> =>
    endpoint.open ? undefined : checkKey(request, keyOf(request), endpoint, gatekeeper);

  function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | undefined,
  ): Soon<Caller | undefined> {
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

  async function handle(request: FastifyRequest): Promise<ForeignAnswer> {
    try {
      const body = endpoint.takesFile ? fileIn(request) : input.readBody(request.body);
      const visit = request.visit as ForeignVisit;
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

/** Bytes and streams leave as they are, whatever type was set; all else as JSON. */
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

function requestOf(request: FastifyRequest): ForeignRequest {
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
): ForeignVisit {
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
