import type { Jid } from './content.ts';
import type { MessageEvent, ReceiptEvent } from './events.ts';

/** One of the history syncs that a phone sends to a device that it has linked; it sends several, one after the other. */
export interface PastHistory {
  /** Stable id: the same when it is repeated after a crash. */
  readonly id: string;
  /** `initial`: the latest messages of every chat. `recent` and `full`: older ones. `on_demand`: requested ones. */
  readonly type: 'initial' | 'recent' | 'full' | 'on_demand';
  /** The phone's progress over all of its history, in percent; absent where it reports none. */
  readonly progress?: number;
}

/** A part of it. Chats come after their messages. */
export interface PastPart {
  readonly messages: readonly PastMessage[];
  readonly receipts: readonly PastReceipt[];
  readonly chats: readonly PastChat[];
}

export interface PastMessage {
  /** Also a reaction, which the phone sends with its target message. */
  readonly event: MessageEvent;
  /** For own messages: the furthest receipt of any recipient, if there is one. */
  readonly reached?: ReceiptEvent['type'];
}

export type PastReceipt = Pick<ReceiptEvent, 'messageId' | 'recipient' | 'type' | 'timestamp'>;

/** The owner's state of a chat. */
export interface PastChat {
  readonly chat: Jid;
  /** Epoch seconds: later messages are not counted here. */
  readonly upTo: number;
  readonly unread: number;
  readonly archived: boolean;
  readonly pinned: boolean;
  /** Epoch ms; -1 for ever, null when it is not muted. */
  readonly mutedUntil: number | null;
}

/** Stores one history, part by part: the next part is read after the previous one was stored. */
export interface PastTaker {
  take(part: PastPart): Promise<void>;
  /** `done`: all of it is stored. `failed`: the rest can never be read. */
  end(outcome: 'done' | 'failed'): Promise<void>;
}
