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

/** What changed in a group. `by` is missing where the network itself did it. */
export type GroupChange =
  | { type: 'create'; group: Group }
  | { type: 'add' | 'remove' | 'promote' | 'demote' | 'leave'; persons: Person[] }
  /** Somebody came in by invite code. */
  | { type: 'join'; persons: Person[] }
  | { type: 'name'; name: string }
  | { type: 'description'; description: string; descriptionId: string }
  | { type: 'announce'; announce: boolean }
  | { type: 'locked'; locked: boolean }
  | { type: 'join_approval'; on: boolean }
  | { type: 'everybody_adds'; on: boolean }
  | { type: 'invite'; code: string }
  | { type: 'disappearing'; seconds: number };

/** Something that another linked device said to this one, which goes on unchanged. */
export interface Forwarded {
  what: 'message' | 'retry';
  messageId: string;
  /** Who said it. */
  by: SessionId;
}

/** Everything a linked device may have to learn. */
export type News =
  | { kind: 'message'; message: Message }
  | ({ kind: 'forwarded' } & Forwarded)
  | { kind: 'receipt'; chat: Chat; messageId: string; reader: Person; type: ReceiptType; at: number }
  /** A phone could not read what the device sent to `to`, and asks for it again. `own`: it is the phone of the device itself. */
  | {
      kind: 'retry';
      messageId: string;
      to: string;
      reader: Person;
      own: boolean;
      count: number;
      at: number;
    }
  | { kind: 'group'; group: string; by: Person | undefined; change: GroupChange; at: number }
  | { kind: 'channel_message'; message: ChannelMessage; fromMe: boolean }
  /** The owner did something with a chat; `by` is the device that they did it with, 0 the phone. `id` is the same for all devices. */
  | { kind: 'chat_state'; id: string; by: number; chat: Chat; change: ChatChange; at: number }
  /** The own address book changed; `removed` entries carry only the number. */
  | { kind: 'contact'; contact: Contact; removed: boolean }
  /** Somebody known changed their push name or About text. */
  | { kind: 'profile'; person: Person; name?: string; about?: string; at: number }
  /** `jid` is a person's or a group's; no `pictureId` means the photo was taken away. */
  | { kind: 'picture'; jid: string; by: Person; pictureId: string | undefined; at: number }
  | { kind: 'blocklist'; person: Person; blocked: boolean }
  /** Somebody known linked a device or took one off; `devices` is what they have now. */
  | {
      kind: 'devices';
      person: Person;
      change: 'add' | 'remove';
      device: number;
      devices: number[];
      at: number;
    }
  /** Somebody trusts this person: the token (base64) lets the person write to them. */
  | { kind: 'token'; person: Person; token: string; at: number }
  /** The network has restricted the account, or lifted that. */
  | { kind: 'reachout_lock'; lock: ReachoutLock | undefined; at: number }
  | { kind: 'new_chat_cap'; cap: NewChatCap; at: number }
  | { kind: 'typing'; chat: Chat; person: Person; typing: boolean; media: TypingMedia }
  | { kind: 'presence'; person: Person; online: boolean; lastSeenAt: number | undefined }
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

/** Nobody wants to hear an hour later that somebody was typing: these need no acknowledgement and go stale. */
const volatileForMs: Partial<Record<NewsKind, number>> = {
  typing: 30_000,
  presence: 30_000,
  call: 60_000,
};

/** How long the kind is worth telling, in milliseconds; undefined for what waits until it is acknowledged. */
export function shelfLife(kind: NewsKind): number | undefined {
  return volatileForMs[kind];
}

/** One thing in a mailbox. The id is the same however often the item is handed over. */
export interface MailboxItem {
  id: number;
  sessionId: SessionId;
  news: News;
  /** It was already waiting when the device attached. */
  waited: boolean;
  /** Goes stale by itself and needs no acknowledgement. */
  volatile: boolean;
}
