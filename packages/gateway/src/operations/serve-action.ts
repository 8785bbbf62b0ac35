import {
  type AnswerOf,
  type ErrorArguments,
  type ErrorCode,
  type Operation,
  planIncludes,
} from '@parley/contract';
import { apiError, apiErrorFrom } from '#kernel';
import { NetworkError, type NetworkErrorKind } from '#network';
import { type OwnedNumber, type RequestContext, type Route, serve } from '#platform/http';
import type { GetHost, SessionStates } from '#sessions';

/** Refusals of an action by the network; errors common to all actions are `ApiError`s before this point. */
type RefusalKind = Exclude<NetworkErrorKind, 'offline' | 'transient'>;

/** Errors whose sentence needs no values. */
type PlainCode = { [C in ErrorCode]: ErrorArguments<C> extends [] ? C : never }[ErrorCode];

/** Default errors of operations without their own. */
const DEFAULT_ERRORS = {
  refused: 'network_forbids',
  not_found: 'network_rejects',
  malformed: 'network_rejects',
  permanent: 'network_rejects',
} as const satisfies Record<RefusalKind, PlainCode>;

type DefaultError = (typeof DEFAULT_ERRORS)[RefusalKind];

/** One of the errors that the operation declares. */
type RefusalError<O extends Operation> = Extract<O['errors'][number], PlainCode> | DefaultError;

/** The error of an operation for each refusal by the network; a function where the choice takes a second query. */
type RefusalErrors<O extends Operation> = {
  readonly [Kind in RefusalKind]?: RefusalError<O> | ((call: RequestContext<O>) => Promise<RefusalError<O>>);
};

type ActionOperation = Operation & {
  readonly surface: 'v1';
  readonly subject: 'session';
  readonly sessionMustBe: 'online';
};

type ServeAction = <const O extends ActionOperation>(
  operation: O,
  words: RefusalErrors<O>,
  handle: (call: RequestContext<O>) => Promise<AnswerOf<O>>,
) => Route;

/**
 * Serves operations that query the network on behalf of a number. Key, permission, body and ownership are checked
 * before; here follow the plan, whether the number is online, and the handler, whose call to the session's host
 * limits parallel actions. A refusal by the network becomes the operation's own error.
 */
export function createActionServer({ states }: { readonly states: SessionStates }): ServeAction {
  return (operation, words, handle) =>
    serve(operation, async (call) => {
      await checkNumber(operation, call.number, states);
      try {
        return await handle(call);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const word = words[error.kind] ?? DEFAULT_ERRORS[error.kind];
        const code: PlainCode = typeof word === 'function' ? await word(call) : word;
        throw apiErrorFrom(error, code);
      }
    });
}

async function checkNumber(
  { feature }: Operation,
  number: OwnedNumber | undefined,
  states: SessionStates,
): Promise<void> {
  if (!number) throw new TypeError('an action needs a number');
  const { plan, slotId } = number;
  if (feature && !planIncludes(plan, feature)) throw apiError('plan_lacks_feature', { plan, feature });
  const state = await states.find(slotId);
  // A reconnecting session may be back at this moment, or move to another host: its host knows.
  if (state?.status !== 'connected' && state?.status !== 'reconnecting') throw apiError('session_not_hosted');
}

function isRefusal(error: unknown): error is NetworkError & { kind: RefusalKind } {
  return error instanceof NetworkError && error.kind in DEFAULT_ERRORS;
}

/** The part of the sessions room that actions need. */
export interface ActionContext {
  readonly getHost: GetHost;
  readonly states: SessionStates;
}

/** How the network refuses a call; undefined when it succeeds, or did not reach the network. */
export async function refusalOf(call: Promise<unknown>): Promise<NetworkErrorKind | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return error instanceof NetworkError ? error.kind : undefined;
  }
}
