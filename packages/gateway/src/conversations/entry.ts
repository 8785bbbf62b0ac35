import { DAY_MS } from '#kernel';
/** An entry in the history of a number: plain data that crosses to the database thread. */
export type HistoryEntry =
  | KeptMessage
  | KeptMark
  | KeptReceipt
  | Revocation
  | ChatEntry
  | PastChatEntry
  | ImportEntry;

interface Kept {
  readonly historyId: string;
}

export interface KeptMessage extends Kept {
  readonly type: 'message';
  readonly chat: string;
  readonly messageId: string;
  readonly fromMe: 0 | 1;
  readonly at: number;
  readonly seq: number;
  readonly expiresAt: number | null;
  readonly sealed: Uint8Array;
  /** Of own messages: the furthest receipt, as its index in `RECEIPT_TYPES`. */
  readonly state: number;
  /** It is older than the link of the number, so it does not count as unread. */
  readonly isPast: boolean;
  /** Fingerprint of the author; null where the chat has only one other person. */
  readonly author: string | null;
}

/** A reaction or an edit. */
export interface KeptMark extends Kept {
  readonly type: 'mark';
  readonly kind: 'reaction' | 'edit';
  readonly chat: string;
  readonly targetId: string;
  readonly author: string;
  readonly fromMe: 0 | 1;
  readonly at: number;
  readonly sealed: Uint8Array;
}

/** A receipt for a message of the number itself. */
export interface KeptReceipt extends Kept {
  readonly type: 'receipt';
  readonly kind: ReceiptType;
  readonly targetId: string;
  readonly author: string;
  readonly at: number;
}

/** A message was deleted for everyone. */
export interface Revocation extends Kept {
  readonly type: 'revocation';
  readonly chat: string;
  readonly targetId: string;
  /** Only its author may do that; in a group its admins may delete any message. */
  readonly isByAdmin: boolean;
  readonly author: string | null;
  readonly fromMe: 0 | 1;
  readonly at: number;
  readonly seq: number;
}

/** The owner of the number changed a chat. */
export interface ChatEntry extends Kept {
  readonly type: 'chat';
  readonly chat: string;
  /** `read`, `cleared`: up to `value`. `unread`: at least `value` messages. The others are set to it. */
  readonly change: 'read' | 'unread' | 'archived' | 'pinned' | 'muted' | 'cleared';
  readonly value: number | null;
}

/** State of a chat at the time of the phone's history. Counts once. */
export interface PastChatEntry extends Kept {
  readonly type: 'past_chat';
  readonly chat: string;
  /** Later messages are not in `unread`. */
  readonly upTo: number;
  readonly unread: number;
  readonly archived: 0 | 1;
  readonly pinned: 0 | 1;
  readonly mutedUntil: number | null;
}

/** Progress of an import of the phone's history. */
export interface ImportEntry extends Kept {
  readonly type: 'import';
  readonly importId: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly progress: number | null;
  readonly messages: number;
  readonly chats: number;
  readonly at: number;
}

export const RECEIPT_TYPES = ['sent', 'delivered', 'read', 'played'] as const;
export type ReceiptType = Exclude<(typeof RECEIPT_TYPES)[number], 'sent'>;

/** Approximate size of a row without its content. */
const ROW_BYTES = 200;

export function bytesOf({ sealed }: KeptMessage): number {
  return sealed.length + ROW_BYTES;
}

/**
 * How long the deletion of a message that never came is remembered; after that the message does not come any more.
 */
export const TRACE_KEPT_MS = 30 * DAY_MS;
