import type { Actor, FaultOrder, LoginRefusal, PhoneNumber, SessionId } from '../types.ts';

/** Permission to write to a person who has not written first. */
export interface Tokens {
  /** `actor` trusts `to` from now on; the linked devices of `to` get the token. Within a week it is the same token. */
  issue(actor: Actor, to: string): void;
  /** How often the devices of this person asked the network to issue a token. */
  requestsOf(phone: PhoneNumber): number;
  /** Tokens that others issued to this person, by their numbers: of each the newest valid one. */
  heldBy(phone: PhoneNumber): Map<PhoneNumber, { token: Uint8Array; at: number }>;
  /** Whether `recipient` issued this token to `sender` within the last four weeks. */
  isTrusted(sender: PhoneNumber, recipient: PhoneNumber, token: Uint8Array): boolean;
  /** Whether `sender` derived it from the own salt for a first message to `recipient`. */
  isFirstContact(sender: PhoneNumber, recipient: PhoneNumber, token: Uint8Array): boolean;
  /** The salt of this account's tokens for first contacts; created on first use, then constant. */
  nctSalt(phone: PhoneNumber): Uint8Array;
}

/** Errors for messages with an addressing that the network does not accept (any more). */
export interface AddressRules {
  /** `trusted` and `firstContact` are the tokens of the direct message. */
  refusesMessage(
    sender: Actor,
    to: string,
    tokens: { trusted: Uint8Array | undefined; firstContact: Uint8Array | undefined },
  ): number | undefined;
  refusesStory(sender: Actor, audience: readonly string[]): number | undefined;
}

export interface Faults {
  /**
   * `disconnect` closes the current attachment at once, refuses logins for `ms`, and closes `count` connections in all.
   * `refuse_login` closes it too, and refuses the next `count` logins, or all of them for `ms`. `stream_error` ends the current
   * attachment, then logins, `count` in all. `deaf` begins with the current attachment, and applies to `count` in all.
   */
  arm(sessionId: SessionId, order: FaultOrder): void;
  /** Asked once per login, which is counted: the reason to refuse it, by a fault or by a sanction. */
  refusesLogin(sessionId: SessionId): LoginRefusal | undefined;
  /** Asked once per accepted login: the code with which the network ends it nevertheless. */
  endsLogin(sessionId: SessionId): number | undefined;
  /** Asked once per outgoing message; uses up one count of the oldest armed fault. */
  takeForSend(sessionId: SessionId): FaultOrder | undefined;
  /** Asked once per answer to a query; uses up one count of the oldest armed `slow`. */
  takeForAnswer(sessionId: SessionId): FaultOrder | undefined;
  /** Asked once per file: why its download fails, and whether its phone still has it. */
  takeForDownload(sessionId: SessionId): 'expired' | 'gone' | undefined;
  /** Asked once per message to the device; true when it must be undecryptable. */
  takeForDelivery(sessionId: SessionId): boolean;
  /** Asked once per message of a phone to the device: how its content is missing. */
  takeUnavailable(sessionId: SessionId): FaultOrder['kind'] | undefined;
  /** Asked once per accepted login: whether this connection drops all traffic. */
  startsDroppingTraffic(sessionId: SessionId): boolean;
  /** Whether the current connection of the device drops all traffic. */
  dropsTraffic(sessionId: SessionId): boolean;
  /** Current delay of each answer to this device, in milliseconds. */
  lateness(sessionId: SessionId): number;
}
