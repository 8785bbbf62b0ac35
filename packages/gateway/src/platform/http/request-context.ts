import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyOf, Operation, ParamsOf, QueryOf } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, OwnedNumber, Visitor } from './callers/caller.ts';

/** Input of a handler: a request that has passed every check that its operation declares. */
export interface RequestContext<O extends Operation = Operation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  /** A file is streamed: the reader limits it. */
  readonly body: O extends { takesFile: true } ? Readable : BodyOf<O>;
  /** On `/v1` and in the portal only. */
  readonly caller: O['surface'] extends 'portal' ? Visitor : O['surface'] extends 'v1' ? Caller : undefined;
  /** The number of the request, where its subject is a session or a number. */
  readonly number: O['subject'] extends 'session' | 'body_session' | 'number' ? OwnedNumber : undefined;
  readonly requestId: string;
  /** Client address, or that of a proxy that is not trusted to report it. */
  readonly address: string;
  /** Origin through which the client reached us, for links back to the gateway. */
  readonly origin: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  setHeader(name: string, value: string | number): void;
  /** Replaces the operation's own status with another success. */
  setStatus(status: 202 | 206 | 304): void;
}

/** How clients reach the gateway. */
export interface Reached {
  readonly secure?: boolean;
  readonly publicUrl?: string | undefined;
}

/** A class with lazy getters, so that unused fields cost nothing. */
export class LazyRequestContext {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly number: OwnedNumber | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #reached: Reached;
  #gone: AbortSignal | undefined;
  status: number | undefined;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    input: { params: unknown; query: unknown; body: unknown },
    number: OwnedNumber | undefined,
    reached: Reached,
  ) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.number = number;
    this.#request = request;
    this.#reply = reply;
    this.#reached = reached;
  }

  get caller(): Caller | undefined {
    return this.#request.caller;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get address(): string {
    return this.#request.ip;
  }

  get origin(): string {
    const { publicUrl, secure } = this.#reached;
    if (publicUrl !== undefined) return publicUrl;
    const scheme = secure ? 'https' : this.#request.protocol;
    const named = `${scheme}://${this.#request.host}`;
    return URL.canParse(named) ? new URL(named).origin : `${scheme}://localhost`;
  }

  /** Derived from the response: a request closes as soon as its body is read, and its own signal with it. */
  get signal(): AbortSignal {
    this.#gone ??= goneBefore(this.#reply.raw);
    return this.#gone;
  }

  get header(): (name: string) => string | undefined {
    return (name) => this.#request.headers[name.toLowerCase()]?.toString();
  }

  get setHeader(): (name: string, value: string | number) => void {
    return (name, value) => {
      this.#reply.header(name, value);
    };
  }

  get setStatus(): (status: number) => void {
    return (status) => {
      this.status = status;
    };
  }
}

/** Aborts when the client disconnects before it has the whole response. */
function goneBefore(answer: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!answer.writableFinished) gone.abort();
  };
  if (answer.closed) leave();
  else answer.once('close', leave);
  return gone.signal;
}
