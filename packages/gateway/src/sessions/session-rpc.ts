import {
  NETWORK_ACTION_TIMEOUT_SECONDS,
  NETWORK_ACTIONS_IN_PARALLEL,
  type PublicError,
} from '@parley/contract';
import { ApiError, apiError, apiErrorFrom, type Clock } from '#kernel';
import { NetworkError, type NetworkErrorKind, type NetworkSession, type SendFailure } from '#network';
import { type Bus, BusUnreachable, CallTimedOut, NoResponders } from '#platform/bus';
import type { AnyHostAction, GetHost, HostAction, HostedSession, RemoteHost } from './types.ts';

/** Bus subject that only the host of a session serves. */
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

/** Same as the driver's time-out: the caller gets a time-out from whichever fires first. */
const PATIENCE_MS = NETWORK_ACTION_TIMEOUT_SECONDS * 1_000;

export interface CallParts {
  readonly bus: Pick<Bus, 'call'>;
  readonly machineClock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Whether a number without a host at this moment should have one, and may get it soon. */
  readonly changesHands: (slotId: string) => Promise<boolean>;
}

/** Wait of a call for the next host of its session. */
const HAND_OVER_MS = 3_000;
const LOOK_AGAIN_MS = 100;

const AREAS = ['groups', 'contacts', 'channels', 'presence', 'calls', 'chats'] as const;

/** Caller's side. Area and method travel as a name and plain data; the port's types hold on both ends. */
export function createRemoteHosts(parts: CallParts): GetHost {
  return ({ slotId }) => {
    const call = async (action: string, args: unknown): Promise<never> => {
      const answer = await ask(parts, slotId, { action, args });
      if (answer.kind === 'done') return answer.result as never;
      throw refusalOf(answer);
    };
    const areas = AREAS.map((area) => [area, createRemoteArea(area, call)] as const);
    const host: Partial<RemoteHost> = {
      ...Object.fromEntries(areas),
      run: ({ name }, args) => call(name, args),
    };
    return host as RemoteHost;
  };
}

type RemoteCall = (action: string, args: unknown) => Promise<never>;

/** `rename` of `groups` → the call `groups.rename`. */
function createRemoteArea(area: (typeof AREAS)[number], call: RemoteCall): object {
  return new Proxy(
    {},
    {
      get: (_area, method) =>
        typeof method === 'string' ? (...args: unknown[]) => call(`${area}.${method}`, args) : undefined,
    },
  );
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
    // No host has done anything, so the call may be repeated.
    const isWorthWaiting = machineClock.monotonic() < giveUpAt && (await changesHands(slotId));
    if (!isWorthWaiting) throw apiError('session_not_hosted');
    await machineClock.sleep(LOOK_AGAIN_MS);
  }
}

async function tryToAsk(bus: Pick<Bus, 'call'>, slotId: string, call: ActionCall): Promise<Answer> {
  try {
    return (await bus.call(subjectOf(slotId), call, { timeoutMs: PATIENCE_MS })) as Answer;
  } catch (error) {
    if (error instanceof NoResponders) return { kind: 'gone' };
    if (error instanceof BusUnreachable) throw apiErrorFrom(error, 'host_unreachable');
    if (error instanceof CallTimedOut) throw apiErrorFrom(error, 'network_timeout');
    throw error;
  }
}

function refusalOf(answer: Exclude<Answer, { kind: 'done' | 'gone' }>): Error {
  if (answer.kind === 'busy') return apiError('too_many_actions');
  if (answer.kind === 'fault') return new ApiError(answer.error);
  const { error: kind, text, failure, unanswered } = answer;
  const error = new NetworkError(kind, text, { failure, unanswered });
  if (kind === 'offline') return apiErrorFrom(error, 'session_not_hosted');
  if (unanswered) return apiErrorFrom(error, 'network_timeout');
  if (kind === 'transient') return apiErrorFrom(error, 'network_unreachable');
  return error;
}

/** Host's side for one session. At most five actions run at the same time; the sixth is refused at once. */
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
  if (error instanceof ApiError) {
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

/**
 * `groups.create` → `session.groups.create(...args)`. The types of the caller's side have checked name and arguments.
 */
function performOnNetwork(session: NetworkSession, action: string, args: readonly unknown[]): unknown {
  const [areaName, methodName = ''] = action.split('.');
  const area = AREAS.find((each) => each === areaName);
  const operations = area && (session[area] as unknown as Record<string, (...args: unknown[]) => unknown>);
  if (!operations || !Object.hasOwn(operations, methodName)) throw new TypeError(`unknown action ${action}`);
  // Called on its own object: an implementation may use `this`.
  return operations[methodName]?.(...args);
}
