import type { Actor, FaultOrder, LoginRefusal, PhoneNumber, SessionId } from '../types.ts';

/** What lets somebody write to a person who has not written to them first. */
export interface Tokens {
  /** `actor` trusts `to` from now on, whose linked devices are given the token. Asked again within a week, it is the same token. */
  issue(actor: Actor, to: string): void;
  /** How often the devices of this person asked the network to issue a token. */
  requestsOf(phone: PhoneNumber): number;
  /** What others gave to this person, by their numbers: of each the newest that is still good. */
  heldBy(phone: PhoneNumber): Map<PhoneNumber, { token: Uint8Array; at: number }>;
  /** Whether `recipient` gave `sender` this token within the last four weeks. */
  isTrusted(sender: PhoneNumber, recipient: PhoneNumber, token: Uint8Array): boolean;
  /** Whether it is what `sender` computes from the own salt for a first word to `recipient`. */
  isFirstContact(sender: PhoneNumber, recipient: PhoneNumber, token: Uint8Array): boolean;
  /** The salt of this account's tokens for first contacts; made on first use, then the same for ever. */
  nctSalt(phone: PhoneNumber): Uint8Array;
}

/** The errors with which the network answers messages that are addressed in a way that it does not accept (any more). */
export interface AddressRules {
  /** `trusted` and `firstContact` are the tokens that came with a direct message. */
  refusesMessage(
    sender: Actor,
    to: string,
    tokens: { trusted: Uint8Array | undefined; firstContact: Uint8Array | undefined },
  ): number | undefined;
  refusesStory(sender: Actor, audience: readonly string[]): number | undefined;
}

export interface Faults {
  /**
   * `disconnect` closes the present attachment at once, refuses the link for `ms`, and cuts `count` links in all. `refuse_login` closes it too,
   * and refuses the next `count` logins, and all of them for `ms`. `stream_error` ends the present attachment, then logins, `count` in all.
   * `deaf` begins with the present attachment, and meets `count` in all.
   */
  arm(sessionId: SessionId, order: FaultOrder): void;
  /** Asked once per login, which is counted: why this one must be refused, be it for a fault or for a sanction. */
  refusesLogin(sessionId: SessionId): LoginRefusal | undefined;
  /** Asked once per login that is not refused: the number with which the network ends it nevertheless. */
  endsLogin(sessionId: SessionId): number | undefined;
  /** Asked once per outgoing message; uses up one count of the oldest armed fault. */
  takeForSend(sessionId: SessionId): FaultOrder | undefined;
  /** Asked once per answer to a question; uses up one count of the oldest armed `slow`. */
  takeForAnswer(sessionId: SessionId): FaultOrder | undefined;
  /** Asked once per file; true when it must not be had. */
  takeForDownload(sessionId: SessionId): boolean;
  /** Asked once per message on its way to the device; true when it must not be readable. */
  takeForDelivery(sessionId: SessionId): boolean;
  /** Asked once per login that is let in: whether all that is said on this connection is lost. */
  deafens(sessionId: SessionId): boolean;
  /** Whether the present connection of the device is deaf. */
  isDeaf(sessionId: SessionId): boolean;
  /** By how many milliseconds each answer to this device is late at this moment. */
  lateness(sessionId: SessionId): number;
}
