import type { Readable } from 'node:stream';
import { type AnswerOf, type Operation, operations } from '@parley/contract';
import { fault } from '#kernel';
import type { RequestContext } from './request-context.ts';

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
