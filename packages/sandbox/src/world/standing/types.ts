import type { Actor, LoginRefusal, PhoneNumber } from '../types.ts';

/** What the network does to an account that it has something against. The connections of its linked devices end, and none is let in again. */
export interface Sanctions {
  /** For `seconds` from now; 0 lifts it. `code` says why, as the client is told. */
  ban(phone: PhoneNumber, order: { code: number; seconds: number }): void;
  lock(phone: PhoneNumber, locked: boolean): void;
  /** What a linked device of this phone is told at its login. */
  refusal(phone: PhoneNumber): LoginRefusal | undefined;
}

/** An account whose linked devices may not write to people that it has no chat with. */
export interface ReachoutLock {
  /** The network's own word for why. */
  type: string;
  /** Milliseconds. */
  endsAt: number;
}

export type CapStatus = 'NONE' | 'FIRST_WARNING' | 'SECOND_WARNING' | 'CAPPED';

/** How many chats the linked devices of an account may begin within a cycle. */
export interface NewChatCap {
  quota: number;
  used: number;
  /** Milliseconds. */
  cycleStartedAt: number;
  cycleEndsAt: number;
  status: CapStatus;
}

/** What a client may ask too often. */
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

/** What the network does by itself; kept, and the same for everybody. */
export interface StandingRules {
  /** An account is restricted when its linked devices have begun more chats than this within any 24 hours; 0 for never. */
  restrictAfterNewChatsPerDay: number;
  restrictForSeconds: number;
  /** Asked for the devices of an account that goes by its LID under its number, the network answers an empty list. */
  hideDevicesOfNumbers: boolean;
  /**
   * A device that has brought no one-time keys yet is told that there is one, whereupon it brings five and not 812, which are a third of what
   * linking it costs.
   */
  fewKeys: boolean;
}

/** How an account stands with the network, short of not being let in. */
export interface Standing {
  /** Undefined while nothing is held against it. */
  lockOf(phone: PhoneNumber): ReachoutLock | undefined;
  capOf(phone: PhoneNumber): NewChatCap | undefined;
  /** For `seconds` from now, after which it ends without a word; 0 lifts it. Every linked device is told. */
  restrict(phone: PhoneNumber, order: { type: string; seconds: number }): void;
  /** From now on, in cycles of `cycleSeconds`. Every linked device is told, now and whenever the status changes. */
  cap(phone: PhoneNumber, order: { quota: number; used: number; cycleSeconds: number }): void;
  /** Questions of this kind are refused for `seconds` from now; 0 lifts it. */
  limit(phone: PhoneNumber, kind: RateKind, seconds: number): void;
  isLimited(phone: PhoneNumber, kind: RateKind): boolean;
  /** Somebody tells the network that this person bothers them. */
  report(by: PhoneNumber, who: string): void;
  /** How many people have blocked or reported this person. */
  complaintsAbout(phone: PhoneNumber): { blockedBy: number; reportedBy: number };
  /** The error with which a direct message of a linked device is answered for how the account stands. */
  refusesMessage(sender: Actor, to: string): number | undefined;
  rules(): StandingRules;
  setRules(rules: StandingRules): void;
}
