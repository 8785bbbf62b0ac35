import type { ChatChange } from '../messages/types.ts';
import type { NewChatCap, ReachoutLock } from '../standing/types.ts';
import type {
  ChannelMessage,
  Chat,
  Contact,
  Group,
  Message,
  Person,
  ReceiptType,
  SessionId,
  TypingMedia,
} from '../types.ts';

/** A change of a group. `by` is missing where the network itself made it. */
export type GroupChange =
  | { type: 'create'; group: Group }
  | { type: 'add' | 'remove' | 'promote' | 'demote' | 'leave'; persons: Person[] }
  /** Joined by invite code. */
  | { type: 'join'; persons: Person[] }
  /** A member has a new number, and so a new address; `by` is the old one. */
  | { type: 'number_changed'; persons: Person[] }
  /** Only admins receive these. */
  | { type: 'join_requested' | 'join_request_rejected'; persons: Person[] }
  | { type: 'name'; name: string }
  | { type: 'description'; description: string; descriptionId: string }
  | { type: 'announce'; announce: boolean }
  | { type: 'locked'; locked: boolean }
  | { type: 'join_approval'; on: boolean }
  | { type: 'everybody_adds'; on: boolean }
  | { type: 'invite'; code: string }
  | { type: 'disappearing'; seconds: number };

/** A stanza of another linked device to this one, carried unchanged. */
export interface Forwarded {
  what: 'message' | 'retry';
  messageId: string;
  /** The author. */
  by: SessionId;
}

/** Everything that a linked device may have to receive. */
export type News =
  | { kind: 'message'; message: Message }
  | ({ kind: 'forwarded' } & Forwarded)
  | { kind: 'receipt'; chat: Chat; messageId: string; reader: Person; type: ReceiptType; at: number }
  /** The owner read a message of this chat on another device. */
  | { kind: 'own_read'; chat: Chat; messageId: string; reader: Person; at: number }
  /** A phone could not decrypt what the device sent to `to`, and asks for it again. `own`: the phone belongs to the same person. */
  | {
      kind: 'retry';
      messageId: string;
      to: string;
      reader: Person;
      own: boolean;
      count: number;
      at: number;
    }
  /** `version` is the group's after a change that has one. */
  | {
      kind: 'group';
      group: string;
      by: Person | undefined;
      change: GroupChange;
      version?: number;
      at: number;
    }
  | { kind: 'channel_message'; message: ChannelMessage; fromMe: boolean }
  /** The owner changed a chat; `by` is the device that did it, 0 for the phone. `id` is the same for all devices. */
  | { kind: 'chat_state'; id: string; by: number; chat: Chat; change: ChatChange; at: number }
  /** The own address book changed; `removed` entries carry only the number. */
  | { kind: 'contact'; contact: Contact; removed: boolean }
  /** A contact changed their push name or About text. */
  | { kind: 'profile'; person: Person; name?: string; about?: string; at: number }
  /** `jid` is of a person or a group; without `pictureId` the photo was removed. */
  | { kind: 'picture'; jid: string; by: Person; pictureId: string | undefined; at: number }
  | { kind: 'blocklist'; person: Person; blocked: boolean }
  /** A contact linked or removed a device; `devices` is the list afterwards. */
  | {
      kind: 'devices';
      person: Person;
      change: 'add' | 'remove';
      device: number;
      devices: number[];
      at: number;
    }
  /** A correspondent installed the app anew: its keys are others. */
  | { kind: 'identity'; person: Person; at: number }
  /** A correspondent changed the number. */
  | { kind: 'number_changed'; old: Person; fresh: Person; at: number }
  /** This person trusts the account: the token (base64) allows messages to them. */
  | { kind: 'token'; person: Person; token: string; at: number }
  /** The network restricted the account, or lifted the restriction. */
  | { kind: 'reachout_lock'; lock: ReachoutLock | undefined; at: number }
  | { kind: 'new_chat_cap'; cap: NewChatCap; at: number }
  | { kind: 'typing'; chat: Chat; person: Person; typing: boolean; media: TypingMedia }
  /** `isHidden`: the person does not show when they were last seen. */
  | {
      kind: 'presence';
      person: Person;
      online: boolean;
      lastSeenAt: number | undefined;
      isHidden?: true;
    }
  | {
      kind: 'call';
      callId: string;
      event: 'offer' | 'terminate' | 'reject';
      /** The other party. */
      from: Person;
      video: boolean;
      reason: string | undefined;
      at: number;
    };

export type NewsKind = News['kind'];

/** Typing and presence are useless an hour later: these kinds expire and need no acknowledgement. */
const lifetimesMs: Partial<Record<NewsKind, number>> = {
  typing: 30_000,
  presence: 30_000,
  call: 60_000,
};

/** How long an item of the kind stays valid, in milliseconds; undefined for one that waits until it is acknowledged. */
export function lifetimeMs(kind: NewsKind): number | undefined {
  return lifetimesMs[kind];
}

/** One item of a mailbox. The id stays the same however often it is delivered. */
export interface MailboxItem {
  id: number;
  sessionId: SessionId;
  news: News;
  /** It was in the mailbox before the device attached. */
  waited: boolean;
  /** Expires, and needs no acknowledgement. */
  volatile: boolean;
}
