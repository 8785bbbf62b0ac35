import type { Readable } from 'node:stream';
import { type AnswerOf, compileRequest, type Operation, type RawRequest } from '@parley/contract';
import { apiError } from '#kernel';
import type { Caller, Gatekeeper } from './callers/caller.ts';
import { checkCaller, findNumber } from './callers/checks.ts';
import type { RequestContext } from './request-context.ts';

export interface Route {
  readonly operation: Operation;
  readonly handle: (call: RequestContext) => Promise<unknown>;
}

/** Result of a handler: as the contract declares, or a stream where it allows one. */
type Answer<O extends Operation> =
  | AnswerOf<O>
  | (O extends { streamType: string } | { answerType: 'text/event-stream' | 'application/octet-stream' }
      ? Readable | undefined
      : never)
  | (O extends { answerType: 'application/pdf' } ? Buffer : never);

/** Registers a handler for an operation of the contract. Everything that the operation declares is checked before the handler runs. */
export function serve<const O extends Operation>(
  operation: O,
  handle: (call: RequestContext<O>) => Promise<Answer<O>>,
): Route {
  return { operation, handle: handle as Route['handle'] };
}

/** An operation of `/v1` that is invoked internally. */
type InvocableOperation = Operation & { readonly surface: 'v1' };

/** Content of a `/v1` request, as plain values. */
interface Asked {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** A stream where the operation takes a file. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Does the same as a `/v1` request, with all checks of its operation; rejects with the same errors. */
export type Invoke = <const O extends InvocableOperation>(
  operation: O,
  asked?: Asked,
) => Promise<AnswerOf<O>>;

/** The caller, and the original request. */
export type Asking = Pick<RequestContext, 'requestId' | 'address' | 'origin' | 'signal'> & {
  readonly caller: Caller;
  setHeader(name: string, value: string | number): void;
};

interface Invocable {
  readonly handle: Route['handle'];
  readonly parse: ReturnType<typeof compileRequest>;
}

/** For compatible interfaces: they translate to operations of `/v1` and back, and cannot bypass its checks. */
export function createInvoker(routes: readonly Route[], gatekeeper: Gatekeeper): (asking: Asking) => Invoke {
  const handlers = new Map(routes.map((route) => [route.operation.id, route.handle]));
  const compiled = new Map<string, Invocable>();

  function invocable(operation: Operation): Invocable {
    const known = compiled.get(operation.id);
    if (known) return known;
    const handle = handlers.get(operation.id);
    if (!handle) throw new TypeError(`${operation.id} is not served here`);
    const made = { handle, parse: compileRequest(operation) };
    compiled.set(operation.id, made);
    return made;
  }

  return (asking) =>
    async <const O extends InvocableOperation>(operation: O, asked: Asked = {}) => {
      const { handle, parse } = invocable(operation);
      const { caller } = asking;
      checkCaller(caller, operation);
      const raw: RawRequest = {
        params: { ...asked.params },
        query: { ...asked.query },
        body: operation.takesFile ? undefined : asked.body,
      };
      const input = parse(raw);
      if (!input.ok) throw apiError('invalid_field', { text: input.text });
      const number = await findNumber(operation, input.value, caller, gatekeeper);
      const headers = new Map(
        Object.entries(asked.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const context = {
        ...input.value,
        ...(operation.takesFile && { body: asked.body }),
        caller,
        number,
        requestId: asking.requestId,
        address: asking.address,
        origin: asking.origin,
        signal: asking.signal,
        header: (name: string) => headers.get(name.toLowerCase()),
        setHeader: asking.setHeader,
        setStatus: () => {},
      };
      return (await handle(context as unknown as RequestContext)) as AnswerOf<O>;
    };
}
