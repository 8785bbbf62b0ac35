import type { Readable } from 'node:stream';
import type { AnswerOf, Operation } from '@parley/contract';
import type { RequestContext } from './request-context.ts';

export interface Route {
  readonly operation: Operation;
  readonly handle: (call: RequestContext) => Promise<unknown>;
}

/** What a handler answers with: what the contract says, or a stream where it allows one. */
type Answer<O extends Operation> =
  | AnswerOf<O>
  | (O extends { streamType: string } | { answerType: 'text/event-stream' | 'application/octet-stream' }
      ? Readable | undefined
      : never)
  | (O extends { answerType: 'application/pdf' } ? Buffer : never);

/** Puts a handler behind an operation of the contract. All that the operation declares is checked before the handler runs. */
export function serve<const O extends Operation>(
  operation: O,
  handle: (call: RequestContext<O>) => Promise<Answer<O>>,
): Route {
  return { operation, handle: handle as Route['handle'] };
}
