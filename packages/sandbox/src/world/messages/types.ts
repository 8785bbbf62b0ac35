import type { Actor, Bubble, Chat, LinkedDevice, PhoneNumber, ReceiptType } from '../types.ts';
import type { Content } from './content.ts';

export interface SendOrder {
  /** Chosen by the sender; a second send under the same id in the same chat is a duplicate. */
  id: string;
  /** A person's address, a group's JID, or `status@broadcast`. */
  to: string;
  content: Content;
  /** `status@broadcast` only: whose eyes it is for. Without it, the sender's contacts. Unknown addresses are passed over. */
  audience?: string[];
}

/** The outside of a message that a linked device sends: all that the network sees of it. */
export interface Outside {
  id: string;
  to: string;
  /** `status@broadcast` only: whose eyes it is for. Unknown addresses are passed over. */
  audience: readonly string[];
  /** A reaction or a vote, which members may send where only admins may write. */
  needsNoVoice: boolean;
  /** Marked as the deletion of what somebody else wrote, which takes an admin of the group. */
  deletesForeign: boolean;
}

/** Where a message goes: into which chat, to whom besides its author, and for how long. */
export interface Route {
  readonly chat: string;
  readonly recipients: readonly PhoneNumber[];
  readonly expiresInSeconds: number;
}

/** What a phone made of its own copy of a message. */
export type Reading =
  /** Without content it says nothing to people. */
  | { kind: 'read'; content: Content | undefined }
  /** There was a copy, and the phone has not the key to it; the sender may have asked not to show that. */
  | { kind: 'unreadable'; hidden: boolean }
  | { kind: 'missing' };

export interface CarryOrder {
  id: string;
  /** As the device addressed it. */
  to: string;
  /** Of every phone that it came to, or should have. */
  readings: ReadonlyMap<PhoneNumber, Reading>;
}

export interface SendResult {
  id: string;
  at: number;
  /** The network had this id already; receivers drop the copy. */
  duplicate: boolean;
}

export interface Messages {
  /**
   * Errors: `not_registered` (nobody has that number), `not_found` (group, or the message to edit, revoke or vote on),
   * `forbidden` (not a member, announce-only, not the author, no admin, blocked by the sender, too late to edit), `bad_request`.
   * To somebody who blocked the sender it is accepted and never arrives, as on a real network.
   */
  send(actor: Actor, order: SendOrder): SendResult;
  /**
   * Where a message of a linked device goes, as far as the network can tell from its outside. Errors: `not_registered`, `not_found` (no
   * such group), `forbidden` (not a member, announce-only, no admin, blocked by the sender), `bad_request`.
   */
  route(actor: Actor, outside: Outside): Route;
  /**
   * Brings a message of a linked device to the phones: each shows what it could read, or that it waits, and asks for what it could not
   * read. What a phone does not let others do, such as editing what somebody else wrote, it passes over. Answers when it was sent.
   */
  carry(device: LinkedDevice, route: Route, order: CarryOrder): number;
  /** A fresh id in the shape that phones use. */
  newId(): string;
  /** A fresh secret for a poll. */
  newSecret(): string;
  /** Passes on that `actor` got, read or played messages. Unknown ids and repeated receipts are passed over. */
  receipt(actor: Actor, ids: string[], type: ReceiptType): void;
  /** The same from a phone's owner: `not_found` when the phone has no such message, `bad_request` when it cannot be played. */
  mark(phone: PhoneNumber, id: string, type: 'read' | 'played'): void;
  vote(phone: PhoneNumber, pollId: string, options: string[]): SendResult;
  pressButton(phone: PhoneNumber, messageId: string, buttonId: string): SendResult;
  /**
   * What the phone shows, oldest first; with `chat` only that conversation, with `limit` only the newest so many. Channels
   * are read with `channels.messages`.
   */
  seenBy(phone: PhoneNumber, filter?: { chat?: string; limit?: number }): Bubble[];
  /** One bubble that this person has, by its id. */
  find(phone: PhoneNumber, id: string): Bubble | undefined;
}

/** What a phone's owner, or a linked device in their name, does with a chat for themselves alone. */
export type ChatChange =
  | { type: 'archive' | 'pin' | 'unread'; on: boolean }
  /** Milliseconds; -1 for ever, null not at all. */
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
  /** Chats of the phone that anything was ever done with. */
  of(phone: PhoneNumber): ChatState[];
}

/** Messages that a phone could not read: it shows that it waits for them, and asks the device that sent them to send them again. */
export interface Awaited {
  /** The request waits in the sender's mailbox until it is acknowledged. After five for one message there are no more. */
  ask(phone: PhoneNumber, sender: LinkedDevice, message: { id: string; to: string }): void;
  /** The phone could read it now, or had it already. */
  came(phone: PhoneNumber, sender: LinkedDevice, id: string): void;
  /** How many messages a phone has asked for. */
  by(phone: PhoneNumber): number;
}
