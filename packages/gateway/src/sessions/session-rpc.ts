import {
  NETWORK_ACTION_TIMEOUT_SECONDS,
  NETWORK_ACTIONS_IN_PARALLEL,
  type PublicError,
} from '@parley/contract';
import { type Bus, BusUnreachable, CallTimedOut, NobodyServes } from '#bus';
import { type Clock, Fault, fault, faultBecause } from '#kernel';
import { NetworkError, type NetworkErrorKind, type NetworkSession, type SendFailure } from '#network';
import type { ActionHandle, AnyHostAction, CallSession, HostAction, HostedSession } from './types.ts';

/** The subject that only the host of a session serves. */
export function subjectOf(slotId: string): string {
  return `session.${slotId}`;
}

interface ActionCall {
  readonly action: string;
  readonly args: unknown;
}

export type Answer =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'busy' }
  /** Not hosted here any more; nothing was done. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'fault'; readonly error: PublicError }
  | {
      readonly kind: 'network';
      readonly error: NetworkErrorKind;
      readonly text: string;
      readonly failure: SendFailure;
      readonly unanswered: boolean;
    };

/** The driver loses patience after the same time: whichever is first, the caller hears of a time-out. */
const PATIENCE_MS = NETWORK_ACTION_TIMEOUT_SECONDS * 1_000;

export interface CallParts {
  readonly bus: Pick<Bus, 'call'>;
  readonly machineClock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Whether a number that nobody hosts in this moment should have a host, and may get the next one soon. */
  readonly changesHands: (slotId: string) => Promise<boolean>;
}

/** How long a call waits for the next host of its session. */
const HAND_OVER_MS = 3_000;
const LOOK_AGAIN_MS = 100;

/** The caller's side. */
export function createCallSession(parts: CallParts): CallSession {
  // Both forms of a call travel as a name and plain data; what comes back has the type that the name promises.
  const call = async (
    { slotId }: { slotId: string },
    action: string | ActionHandle<never, unknown>,
    args: unknown,
  ): Promise<never> => {
    const name = typeof action === 'string' ? action : action.name;
    const answer = await ask(parts, slotId, { action: name, args });
    if (answer.kind === 'done') return answer.result as never;
    throw refusalOf(answer);
  };
  return call;
}

async function ask(
  parts: CallParts,
  slotId: string,
  call: ActionCall,
): Promise<Exclude<Answer, { kind: 'gone' }>> {
  const { bus, machineClock, changesHands } = parts;
  const giveUpAt = machineClock.monotonic() + HAND_OVER_MS;
  for (;;) {
    const answer = await tryToAsk(bus, slotId, call);
    if (answer.kind !== 'gone') return answer;
    // Nobody has done anything, so it may be asked again.
    const isWorthWaiting = machineClock.monotonic() < giveUpAt && (await changesHands(slotId));
    if (!isWorthWaiting) throw fault('session_not_hosted');
    await machineClock.sleep(LOOK_AGAIN_MS);
  }
}

async function tryToAsk(bus: Pick<Bus, 'call'>, slotId: string, call: ActionCall): Promise<Answer> {
  try {
    return (await bus.call(subjectOf(slotId), call, { timeoutMs: PATIENCE_MS })) as Answer;
  } catch (error) {
    if (error instanceof NobodyServes) return { kind: 'gone' };
    if (error instanceof BusUnreachable) throw faultBecause(error, 'host_unreachable');
    if (error instanceof CallTimedOut) throw faultBecause(error, 'network_timeout');
    throw error;
  }
}

function refusalOf(answer: Exclude<Answer, { kind: 'done' | 'gone' }>): Error {
  if (answer.kind === 'busy') return fault('too_many_actions');
  if (answer.kind === 'fault') return new Fault(answer.error);
  const { error: kind, text, failure, unanswered } = answer;
  const error = new NetworkError(kind, text, { failure, unanswered });
  if (kind === 'offline') return faultBecause(error, 'session_not_hosted');
  if (unanswered) return faultBecause(error, 'network_timeout');
  if (kind === 'transient') return faultBecause(error, 'network_unreachable');
  return error;
}

/** The host's side for one session. At most five actions run at the same time; the sixth is told so at once. */
export function createActionHandler({
  hosted,
  actions,
}: {
  hosted: HostedSession;
  actions: ReadonlyMap<string, AnyHostAction>;
}): (request: unknown) => Promise<Answer> {
  let running = 0;
  return async (request) => {
    if (running >= NETWORK_ACTIONS_IN_PARALLEL) return { kind: 'busy' };
    running += 1;
    try {
      const { action, args } = request as ActionCall;
      return { kind: 'done', result: await perform(hosted, actions, action, args) };
    } catch (error) {
      return asAnswer(error);
    } finally {
      running -= 1;
    }
  };
}

function asAnswer(error: unknown): Answer {
  if (error instanceof NetworkError) {
    const { kind, message: text, failure, unanswered } = error;
    return { kind: 'network', error: kind, text, failure, unanswered };
  }
  if (error instanceof Fault) {
    const { code, status, message: text, retryAfterSeconds } = error;
    return { kind: 'fault', error: { code, status, text, ...(retryAfterSeconds && { retryAfterSeconds }) } };
  }
  throw error;
}

async function perform(
  hosted: HostedSession,
  actions: ReadonlyMap<string, AnyHostAction>,
  name: string,
  args: unknown,
): Promise<unknown> {
  const own = actions.get(name) as HostAction<unknown, unknown> | undefined;
  if (!own?.worksOffline && hosted.session.state.kind !== 'connected') {
    throw new NetworkError('offline', 'The session is not connected.');
  }
  return own ? own.run(hosted, args) : performOnNetwork(hosted.session, name, args as unknown[]);
}

const AREAS = ['groups', 'contacts', 'channels', 'presence', 'calls', 'chats'] as const;

/** `groups.create` → `session.groups.create(...args)`. The caller's side has checked name and arguments by their types. */
function performOnNetwork(session: NetworkSession, action: string, args: readonly unknown[]): unknown {
  const [areaName, methodName = ''] = action.split('.');
  const area = AREAS.find((each) => each === areaName);
  const operations = area && (session[area] as unknown as Record<string, (...args: unknown[]) => unknown>);
  if (!operations || !Object.hasOwn(operations, methodName))
    throw new TypeError(`no action is called ${action}`);
  // Called on its own object: an implementation may use `this`.
  return operations[methodName]?.(...args);
}
