import type { Actor, Bubble, Chat, LinkedDevice, PhoneNumber, ReceiptType } from '../types.ts';
import type { Content } from './content.ts';

export interface SendOrder {
  /** Chosen by the sender; a second send under the same id in the same chat is a duplicate. */
  id: string;
  /** A person's address, a group's JID, or `status@broadcast`. */
  to: string;
  content: Content;
  /** `status@broadcast` only: the audience; the sender's contacts by default. Unknown addresses are skipped. */
  audience?: string[];
}

/** The unencrypted part of a message of a linked device: all that the network sees of it. */
export interface MessageHeader {
  id: string;
  to: string;
  /** `status@broadcast` only: the audience. Unknown addresses are skipped. */
  audience: readonly string[];
  /** A reaction or a vote, which members may send in announce-only groups. */
  needsNoVoice: boolean;
  /** Marked as the deletion of another author's message, which needs an admin of the group. */
  deletesForeign: boolean;
}

/** Destination of a message: its chat, its recipients besides the author, and its timer. */
export interface Route {
  readonly chat: string;
  readonly recipients: readonly PhoneNumber[];
  readonly expiresInSeconds: number;
}

/** Outcome of decrypting a phone's own copy of a message. */
export type CopyOutcome =
  /** Without content there is nothing to show. */
  | { kind: 'read'; content: Content | undefined; secret?: string | undefined }
  /** There was a copy, but the phone lacks the key; the sender may have asked not to show that. */
  | { kind: 'unreadable'; hidden: boolean }
  | { kind: 'missing' };

export interface CarryOrder {
  id: string;
  /** As the device addressed it. */
  to: string;
  /** By phone, for every phone that got it or should have. */
  readings: ReadonlyMap<PhoneNumber, CopyOutcome>;
}

export interface BroadcastOrder {
  id: string;
  /** Addresses of the people on the list. */
  to: string[];
  content: Content;
}

export interface SendResult {
  id: string;
  at: number;
  /** The network had this id already; receivers drop the copy. */
  duplicate: boolean;
}

export interface Messages {
  /**
   * Errors: `not_registered` (the number is unknown), `not_found` (group, or the message to edit, revoke or vote on), `forbidden`
   * (not a member, announce-only, not the author, no admin, blocked by the sender, too late to edit), `bad_request`. A message to
   * a person who blocked the sender is accepted and never arrives, as on a real network.
   */
  send(actor: Actor, order: SendOrder): SendResult;
  /** Sends one message to several people, each in the direct chat. Returns the JID of the list. Errors as for `send`. */
  broadcast(actor: Actor, order: BroadcastOrder): string;
  /**
   * Resolves the destination of a linked device's message from its unencrypted part. Errors: `not_registered`, `not_found` (no
   * such group), `forbidden` (not a member, announce-only, no admin, blocked by the sender), `bad_request`.
   */
  route(actor: Actor, outside: MessageHeader): Route;
  /**
   * Brings a message of a linked device to the phones: each shows its content or a placeholder, and requests what it could not
   * decrypt. A phone ignores what it does not allow, such as an edit of a foreign message. Returns the time of sending.
   */
  carry(device: LinkedDevice, route: Route, order: CarryOrder): number;
  /** A fresh message id in the format of phones. */
  newId(): string;
  /** A fresh secret for a poll. */
  newSecret(): string;
  /** Records and forwards that `actor` received, read or played messages. Unknown ids and repeated receipts are ignored. */
  receipt(actor: Actor, ids: string[], type: ReceiptType): void;
  /** The owner read messages and shares no read receipts: their other devices alone are notified. */
  readForOneself(actor: Actor, ids: string[]): void;
  /** The same by a phone's owner: `not_found` when the phone has no such message, `bad_request` when it cannot be played. */
  mark(phone: PhoneNumber, id: string, type: 'read' | 'played'): void;
  vote(phone: PhoneNumber, pollId: string, options: string[]): SendResult;
  pressButton(phone: PhoneNumber, messageId: string, buttonId: string): SendResult;
  /**
   * The phone's screen, oldest first; with `chat` only that chat, with `limit` only the newest so many. Channels are read with
   * `channels.messages`.
   */
  seenBy(phone: PhoneNumber, filter?: { chat?: string; limit?: number }): Bubble[];
  /** One message on this person's phone, by its id. */
  find(phone: PhoneNumber, id: string): Bubble | undefined;
}

/** What a phone's owner, or a linked device on their behalf, does with a chat for themselves alone. */
export type ChatChange =
  | { type: 'archive' | 'pin' | 'unread'; on: boolean }
  /** Milliseconds; -1 for ever, null for not muted. */
  | { type: 'mute'; until: number | null }
  | { type: 'delete' }
  | { type: 'star'; messageId: string; on: boolean }
  | { type: 'delete_message'; messageId: string };

export interface ChatState {
  chat: Chat;
  archived: boolean;
  pinned: boolean;
  mutedUntil: number | undefined;
  unread: boolean;
  deletedAt: number | undefined;
}

export interface ChatStates {
  /** Errors: `not_registered`, `not_found` (no such message on the phone). */
  change(actor: Actor, chat: string, change: ChatChange): void;
  /** Chats of the phone with a state. */
  of(phone: PhoneNumber): ChatState[];
}

/** Messages that a phone could not decrypt: it shows a placeholder and asks the sending device for them again. */
export interface AwaitedMessages {
  /** Puts the request into the sender's mailbox until it is acknowledged; at most five for one message. */
  ask(phone: PhoneNumber, sender: LinkedDevice, message: { id: string; to: string }): void;
  /** The phone decrypted the message, or had it already. */
  came(phone: PhoneNumber, sender: LinkedDevice, id: string): void;
  /** How many messages a phone has requested. */
  by(phone: PhoneNumber): number;
}
