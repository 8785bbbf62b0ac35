import type { Readable } from 'node:stream';
import {
  type AnswerOf,
  type BodyOf,
  type Operation,
  operations,
  type ParamsOf,
  type QueryOf,
} from '@parley/contract';
import { fault } from '#kernel';
import type { Caller, OwnedNumber } from './caller.ts';

/** What a handler gets: a request that has passed every check that its operation declares. */
export interface RequestContext<O extends Operation = Operation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** On `/v1` and in the portal only. */
  readonly caller: O['surface'] extends 'v1' | 'portal' ? Caller : undefined;
  /** The number that the request is about, where its subject is a session or a number. */
  readonly number: O['subject'] extends 'session' | 'body_session' | 'number' ? OwnedNumber : undefined;
  readonly requestId: string;
  /** Where the request came from: the client's own address, or that of a proxy before us. */
  readonly address: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  setHeader(name: string, value: string | number): void;
}

export interface Route {
  readonly operation: Operation;
  readonly handle: (call: RequestContext) => Promise<unknown>;
}

/** What a handler answers with: what the contract says, or a stream where it allows one. */
type Answer<O extends Operation> =
  | AnswerOf<O>
  | (O extends { streamType: string } | { answerType: 'text/event-stream' } ? Readable : never);

/** Puts a handler behind an operation of the contract. All that the operation declares is checked before the handler runs. */
export function serve<const O extends Operation>(
  operation: O,
  handle: (call: RequestContext<O>) => Promise<Answer<O>>,
): Route {
  return { operation, handle: handle as Route['handle'] };
}

/** The operations that no room serves yet: they check everything they declare, then say so. */
export function unservedRoutes(served: readonly Route[]): Route[] {
  const known = new Set(served.map((route) => route.operation.id));
  return Object.values<Operation>(operations)
    .filter((operation) => !known.has(operation.id))
    .map((operation) => ({
      operation,
      handle: async () => {
        throw fault('not_available_yet');
      },
    }));
}
