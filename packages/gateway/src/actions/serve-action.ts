import {
  type AnswerOf,
  type ErrorArguments,
  type ErrorCode,
  type Operation,
  planIncludes,
} from '@parley/contract';
import { type OwnedNumber, type RequestContext, type Route, serve } from '#http';
import { fault, faultBecause } from '#kernel';
import { NetworkError, type NetworkErrorKind } from '#network';
import type { SessionStates } from '#sessions';

/** How the network can say no to an action; what is the same for every action has become a fault before it comes here. */
type RefusalKind = Exclude<NetworkErrorKind, 'offline' | 'transient'>;

/** Errors whose sentence needs no values. */
type PlainCode = { [C in ErrorCode]: ErrorArguments<C> extends [] ? C : never }[ErrorCode];

/** Said where an operation has no better word. */
const GENERAL_WORDS = {
  refused: 'network_forbids',
  not_found: 'network_rejects',
  malformed: 'network_rejects',
  permanent: 'network_rejects',
} as const satisfies Record<RefusalKind, PlainCode>;

type GeneralWord = (typeof GENERAL_WORDS)[RefusalKind];

/** One of the errors that the operation declares. */
type Word<O extends Operation> = Extract<O['errors'][number], PlainCode> | GeneralWord;

/** What the network's refusals mean to callers of an operation; a function where that takes a second look. */
type Words<O extends Operation> = {
  readonly [Kind in RefusalKind]?: Word<O> | ((call: RequestContext<O>) => Promise<Word<O>>);
};

type ActionOperation = Operation & {
  readonly surface: 'v1';
  readonly subject: 'session';
  readonly sessionMustBe: 'online';
};

type ServeAction = <const O extends ActionOperation>(
  operation: O,
  words: Words<O>,
  handle: (call: RequestContext<O>) => Promise<AnswerOf<O>>,
) => Route;

/**
 * Serves operations that ask the network something on behalf of a number. Key, permission, body and ownership were checked before;
 * here comes the plan, then whether the number is online, then the handler, whose call to the session's host sees that the number is
 * not too busy. A refusal by the network is told in the operation's own words.
 */
export function createActionServer({ states }: { readonly states: SessionStates }): ServeAction {
  return (operation, words, handle) =>
    serve(operation, async (call) => {
      await checkNumber(operation, call.number, states);
      try {
        return await handle(call);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const word = words[error.kind] ?? GENERAL_WORDS[error.kind];
        const code: PlainCode = typeof word === 'function' ? await word(call) : word;
        throw faultBecause(error, code);
      }
    });
}

async function checkNumber(
  { feature }: Operation,
  number: OwnedNumber | undefined,
  states: SessionStates,
): Promise<void> {
  if (!number) throw new TypeError('an action is always about a number');
  const { plan, slotId } = number;
  if (feature && !planIncludes(plan, feature)) throw fault('plan_lacks_feature', { plan, feature });
  const state = await states.find(slotId);
  // One that is reconnecting may be back in this very moment, or on its way to another host: its host knows.
  if (state?.status !== 'connected' && state?.status !== 'reconnecting') throw fault('session_not_hosted');
}

function isRefusal(error: unknown): error is NetworkError & { kind: RefusalKind } {
  return error instanceof NetworkError && error.kind in GENERAL_WORDS;
}
