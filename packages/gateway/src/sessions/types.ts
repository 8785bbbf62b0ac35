import type { OperationId } from '@parley/contract';
import type { Jid, NetworkEvent, NetworkSession, NumberHealthChange, PastHistory, PastTaker } from '#network';
import type { OwnedNumber } from '#platform/http';
import type { ObservedStatus } from './status.ts';

/** A session that this process hosts. */
export interface HostedSession {
  readonly number: OwnedNumber;
  /** The session JID, as callers see it. */
  readonly sessionId: string;
  readonly session: NetworkSession;
  /** Grows with every host of this number; a write under an older fence must be refused. */
  readonly fence: number;
}

export interface HostedSessions {
  get(slotId: string): HostedSession | undefined;
  /** Slots that are connected now. */
  connected(): string[];
  /**
   * Emits the slot of every session that started, stopped, connected or lost its connection. The result unsubscribes.
   */
  onChange(listener: (slotId: string) => void): () => void;
}

export interface SessionState extends ObservedStatus {
  readonly sessionId: string;
}

/** State of every linked number, in every process. */
export interface SessionStates {
  /**
   * Undefined when the number is not linked. Answers from memory where that is as good, so that a send waits for
   * nothing.
   */
  find(slotId: string): SessionState | undefined | Promise<SessionState | undefined>;
}

/** For lists of sessions. */
export interface SessionOverview extends SessionStates {
  /** Reads many at once, by slot; numbers that are not linked are left out. */
  findAll(slotIds: readonly string[]): Promise<ReadonlyMap<string, SessionState>>;
}

/** Takes network events. Resolves when all of them are stored: only then does the driver forget them. */
export type NetworkEventSink = (hosted: HostedSession, events: readonly NetworkEvent[]) => Promise<void>;

/** Takes changes of a number's health. */
export type NumberHealthSink = (hosted: HostedSession, news: NumberHealthChange) => void;

/** Takes the people with whom a number had a chat before it was linked. */
export type KnownContactsSink = (hosted: HostedSession, people: readonly Jid[]) => Promise<void>;

/** Chooses the taker of the history that a number's phone sends; undefined: none. */
export type PastSink = (hosted: HostedSession, history: PastHistory) => PastTaker | undefined;

type Areas = Pick<NetworkSession, 'groups' | 'contacts' | 'channels' | 'presence' | 'calls' | 'chats'>;

/** An area of the network's port as another process calls it. */
type Remote<Area> = {
  readonly [M in keyof Area]: Area[M] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** Name of a host action: the operation of the contract, unless several share it. */
type HostActionName = OperationId | 'nameChat';

/**
 * Work of another room beside the session, where more than one method of the port or the host's own disk is needed: a
 * picture is downloaded by the process that uploads it. Arguments and result travel, so they are plain data for JSON.
 */
export interface HostAction<Args, Result> {
  readonly name: HostActionName;
  readonly run: (hosted: HostedSession, args: Args) => Promise<Result>;
  /** Without it, the action is refused while the session has no connection. */
  readonly worksOffline?: true;
}

/** Enough of an action to call it from another process. */
export interface ActionHandle<Args, Result> {
  readonly name: HostActionName;
  readonly run?: HostAction<Args, Result>['run'];
}

/** Any action, for code that only carries it. */
export type AnyHostAction = HostAction<never, unknown>;

/**
 * The host of a number, in any process; it answers within 20 seconds. Calls reject with an `ApiError` for what every
 * action shares: `session_not_hosted` (no host, or no connection), `too_many_actions` (five run at the same time),
 * `host_unreachable` (the bus is cut), `network_timeout`, `network_unreachable`. Errors of an action itself
 * (`refused`, `not_found`, `malformed`, `permanent`) reject with the driver's `NetworkError`, for the caller to
 * translate; an `ApiError` of a host action arrives unchanged.
 */
export type RemoteHost = { readonly [Area in keyof Areas]: Remote<Areas[Area]> } & {
  run<Args, Result>(action: ActionHandle<Args, Result>, args: Args): Promise<Result>;
};

export type GetHost = (number: OwnedNumber) => RemoteHost;

/** Call setting of a number: stored with its link, applied by its host. */
export interface AutoReject {
  /** Rejects with `session_not_hosted` when the number is not online, and so does `set`. */
  read(number: OwnedNumber): Promise<{ readonly sessionId: string; readonly enabled: boolean }>;
  /** Applies from the next call. */
  set(number: OwnedNumber, enabled: boolean): Promise<{ readonly sessionId: string }>;
}

/** Log of this room: never a message, a key or a code. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
