import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, OwnedNumber } from './caller.ts';

/** What a handler is called with. A class, so that what the handler does not ask for costs nothing. */
export class LazyRequestContext {
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

  get address(): string {
    return this.#request.ip;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get header(): (name: string) => string | undefined {
    return (name) => this.#request.headers[name.toLowerCase()]?.toString();
  }

  get setHeader(): (name: string, value: string | number) => void {
    return (name, value) => {
      this.#reply.header(name, value);
    };
  }
}
