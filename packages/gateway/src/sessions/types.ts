import type { OwnedNumber } from '#http';
import type { Jid, NetworkEvent, NetworkSession, PastHistory, PastTaker, StandingNews } from '#network';
import type { Standing } from './status.ts';

/** A session that this process hosts. */
export interface HostedSession {
  readonly number: OwnedNumber;
  /** The session JID, as callers see it. */
  readonly sessionId: string;
  readonly session: NetworkSession;
  /** Grows with every host of this number; a write on behalf of an older one must be refused. */
  readonly fence: number;
}

export interface HostedSessions {
  get(slotId: string): HostedSession | undefined;
  /** The slots of those that have a connection at this moment. */
  connected(): string[];
  /** Tells of every session that came, went, was connected or lost its connection. The answer stops it. */
  onChange(listener: (slotId: string) => void): () => void;
}

export interface SessionState extends Standing {
  readonly sessionId: string;
}

/** How every linked number is doing, known in every process. */
export interface SessionStates {
  /** Undefined when the number is not linked. From memory where that is as good, so that a send waits for nothing. */
  find(slotId: string): SessionState | undefined | Promise<SessionState | undefined>;
}

/** For whoever shows many of them. */
export interface SessionOverview extends SessionStates {
  /** The same of many, by slot, in one look; those that are not linked are left out. */
  findAll(slotIds: readonly string[]): Promise<ReadonlyMap<string, SessionState>>;
}

/** Takes what the network tells. Resolves when all of it is safely kept: only then does the driver forget it. */
export type NetworkEventSink = (hosted: HostedSession, events: readonly NetworkEvent[]) => Promise<void>;

/** Takes what the network says about a number's standing. */
export type StandingSink = (hosted: HostedSession, news: StandingNews) => void;

/** Takes whom a number had a chat with before it was linked. */
export type KnownPeopleSink = (hosted: HostedSession, people: readonly Jid[]) => Promise<void>;

/** Says who takes what the phone of a number tells of its past; undefined: nobody. */
export type PastSink = (hosted: HostedSession, history: PastHistory) => PastTaker | undefined;

type Areas = Pick<NetworkSession, 'groups' | 'contacts' | 'channels' | 'presence' | 'calls' | 'chats'>;

type Method = (...args: never[]) => unknown;

type MethodOf<A extends string> = A extends `${infer Area}.${infer Name}`
  ? Area extends keyof Areas
    ? Name extends keyof Areas[Area]
      ? Areas[Area][Name] extends Method
        ? Areas[Area][Name]
        : never
      : never
    : never
  : never;

/** Names a method of the network's port: `groups.create`. */
type NetworkAction = {
  [Area in keyof Areas]: `${Area}.${Extract<keyof Areas[Area], string>}`;
}[keyof Areas];

type ArgumentsOf<A extends NetworkAction> = Parameters<MethodOf<A>>;
type ResultOf<A extends NetworkAction> = Awaited<ReturnType<MethodOf<A>>>;

/**
 * What a room wants done beside the session, where more than one method of the port is needed or the host's own disk is: a picture
 * must be downloaded by the process that uploads it. Arguments and result travel, so they are plain data that JSON can carry.
 */
export interface HostAction<Args, Result> {
  /** Unique in the gateway. */
  readonly name: string;
  readonly run: (hosted: HostedSession, args: Args) => Promise<Result>;
  /** Without it, nothing is done for a session that has no connection. */
  readonly worksOffline?: true;
}

/** Enough of an action to call it; what it does is known where it runs. */
export interface ActionHandle<Args, Result> {
  readonly name: string;
  readonly run?: HostAction<Args, Result>['run'];
}

/** Any of them, as seen by what only carries it. */
export type AnyHostAction = HostAction<never, unknown>;

/**
 * Calls the host of a number, wherever it is, within 20 seconds.
 *
 * Rejects with a fault for what is the same for every action: `session_not_hosted` (no host, or no connection), `too_many_actions`
 * (five run at the same time), `host_unreachable` (the bus is cut), `network_timeout`, `network_unreachable`. What an action itself may
 * meet (`refused`, `not_found`, `malformed`, `permanent`) rejects with the `NetworkError` that the driver threw, for the caller to put into words; faults that a
 * host action throws arrive as they are.
 */
export interface CallSession {
  <A extends NetworkAction>(number: OwnedNumber, action: A, args: ArgumentsOf<A>): Promise<ResultOf<A>>;
  <Args, Result>(number: OwnedNumber, action: ActionHandle<Args, Result>, args: Args): Promise<Result>;
}

/** The calls setting of a number: kept with its link, applied by its host. */
export interface AutoReject {
  /** Rejects with `session_not_hosted` when the number is not online, and so does `set`. */
  read(number: OwnedNumber): Promise<{ readonly sessionId: string; readonly enabled: boolean }>;
  /** Applies to the next call. */
  set(number: OwnedNumber, enabled: boolean): Promise<{ readonly sessionId: string }>;
}

/** What this room says about itself: never a message, a key or a code. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
