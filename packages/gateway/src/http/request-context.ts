import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyOf, Operation, ParamsOf, QueryOf } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, OwnedNumber, Visitor } from './callers/caller.ts';

/** What a handler gets: a request that has passed every check that its operation declares. */
export interface RequestContext<O extends Operation = Operation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  /** A file comes as it arrives: whoever reads it bounds it. */
  readonly body: O extends { takesFile: true } ? Readable : BodyOf<O>;
  /** On `/v1` and in the portal only. */
  readonly caller: O['surface'] extends 'portal' ? Visitor : O['surface'] extends 'v1' ? Caller : undefined;
  /** The number that the request is about, where its subject is a session or a number. */
  readonly number: O['subject'] extends 'session' | 'body_session' | 'number' ? OwnedNumber : undefined;
  readonly requestId: string;
  /** Where the request came from: the client's own address, or that of a proxy before us which is not trusted to tell it. */
  readonly address: string;
  /** Under which name the client reached us, for links that lead back here. */
  readonly origin: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  setHeader(name: string, value: string | number): void;
  /** In place of the operation's own, where the answer is a success of another kind. */
  setStatus(status: 206 | 304): void;
}

/** How clients reach us. */
export interface Reached {
  readonly secure?: boolean;
  readonly publicUrl?: string | undefined;
}

/** A class, so that what the handler does not ask for costs nothing. */
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

  /** By the answer: a request is closed as soon as its body is read, and its own signal with it. */
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

/** Aborts when the client leaves before it has the whole answer. */
function goneBefore(answer: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!answer.writableFinished) gone.abort();
  };
  if (answer.closed) leave();
  else answer.once('close', leave);
  return gone.signal;
}
