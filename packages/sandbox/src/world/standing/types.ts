import type { Actor, LoginRefusal, PhoneNumber } from '../types.ts';

/** Sanctions of the network against an account. The connections of its linked devices close, and no login is accepted. */
export interface Sanctions {
  /** For `seconds` from now; 0 lifts it. `code` is the reason that the client gets. */
  ban(phone: PhoneNumber, order: { code: number; seconds: number }): void;
  lock(phone: PhoneNumber, locked: boolean): void;
  /** The login refusal for a linked device of this phone. */
  refusal(phone: PhoneNumber): LoginRefusal | undefined;
}

/** A restriction: linked devices may not write to people without an existing chat. */
export interface ReachoutLock {
  /** The network's name of the reason. */
  type: string;
  /** Milliseconds. */
  endsAt: number;
}

export type CapStatus = 'NONE' | 'FIRST_WARNING' | 'SECOND_WARNING' | 'CAPPED';

/** How many chats the linked devices of an account may start within a cycle. */
export interface NewChatCap {
  quota: number;
  used: number;
  /** Milliseconds. */
  cycleStartedAt: number;
  cycleEndsAt: number;
  status: CapStatus;
}

/** Queries that a client may send too often. */
export const RATE_KINDS = [
  'users',
  'groups',
  'pictures',
  'keys',
  'queries',
  'privacy',
  'blocklist',
  'media',
  'app_state',
] as const;

export type RateKind = (typeof RATE_KINDS)[number];

/** Automatic measures of the network; stored, and the same for all accounts. */
export interface StandingRules {
  /** An account is restricted when its linked devices start more chats than this within any 24 hours; 0 for never. */
  restrictAfterNewChatsPerDay: number;
  restrictForSeconds: number;
  /** Queries for the devices of an account by its number get an empty list, if it is addressed by LID. */
  hideDevicesOfNumbers: boolean;
  /**
   * A device without one-time keys gets a count of one, whereupon it uploads five instead of 812, which are a third of the cost
   * of linking it.
   */
  fewKeys: boolean;
  /** So many of the media servers, the first ones, answer 503 to everything. */
  brokenMediaHosts: number;
}

/** Measures of the network against an account, short of refusing its logins. */
export interface Standing {
  /** Undefined while there is no restriction. */
  lockOf(phone: PhoneNumber): ReachoutLock | undefined;
  capOf(phone: PhoneNumber): NewChatCap | undefined;
  /** For `seconds` from now, after which it ends without a notification; 0 lifts it. Every linked device is notified. */
  restrict(phone: PhoneNumber, order: { type: string; seconds: number }): void;
  /** From now on, in cycles of `cycleSeconds`. Every linked device is notified, now and whenever the status changes. */
  cap(phone: PhoneNumber, order: { quota: number; used: number; cycleSeconds: number }): void;
  /** Queries of this kind are refused for `seconds` from now; 0 lifts it. */
  limit(phone: PhoneNumber, kind: RateKind, seconds: number): void;
  isLimited(phone: PhoneNumber, kind: RateKind): boolean;
  /** A person reports this account to the network. */
  report(by: PhoneNumber, who: string): void;
  /** How many people have blocked or reported this person. */
  complaintsAbout(phone: PhoneNumber): { blockedBy: number; reportedBy: number };
  /** The error for a direct message of a linked device, caused by a restriction or a cap. */
  refusesMessage(sender: Actor, to: string): number | undefined;
  rules(): StandingRules;
  setRules(rules: StandingRules): void;
}
