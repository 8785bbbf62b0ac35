/** What is written into the history of a number: plain data that crosses to the database thread. */
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
  /** Of own messages: how far anybody has come with it, by its place in `RECEIPT_TYPES`. */
  readonly state: number;
  /** It was there before the number was linked: not news, so that it changes nothing of what is unread. */
  readonly isPast: boolean;
  /** A fingerprint of whoever wrote it; null where that is plain from the chat. */
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

/** How far somebody has come with a message of the number itself. */
export interface KeptReceipt extends Kept {
  readonly type: 'receipt';
  readonly kind: ReceiptType;
  readonly targetId: string;
  readonly author: string;
  readonly at: number;
}

/** A message was deleted for everybody. */
export interface Revocation extends Kept {
  readonly type: 'revocation';
  readonly chat: string;
  readonly targetId: string;
  /** Its author alone may do that; in a group its admins may too, with everybody's. */
  readonly ofAnybody: boolean;
  readonly author: string | null;
  readonly fromMe: 0 | 1;
  readonly at: number;
  readonly seq: number;
}

/** The owner of the number did something with a chat. */
export interface ChatEntry extends Kept {
  readonly type: 'chat';
  readonly chat: string;
  /** `read`, `cleared`: up to `value`. `unread`: at least so many are. The others are set to it. */
  readonly change: 'read' | 'unread' | 'archived' | 'pinned' | 'muted' | 'cleared';
  readonly value: number | null;
}

/** How the owner of the number had a chat when the phone was asked for the past. Counts once. */
export interface PastChatEntry extends Kept {
  readonly type: 'past_chat';
  readonly chat: string;
  /** What came later is not in `unread`. */
  readonly upTo: number;
  readonly unread: number;
  readonly archived: 0 | 1;
  readonly pinned: 0 | 1;
  readonly mutedUntil: number | null;
}

/** How far one history of the phone has been taken. */
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

/** What a row takes besides its content, about. */
const ROW_BYTES = 200;

export function bytesOf({ sealed }: KeptMessage): number {
  return sealed.length + ROW_BYTES;
}

/** For so long it is known that a message was deleted which never came; later it does not come any more. */
export const TRACE_KEPT_MS = 30 * 86_400_000;
