import type { Jid } from './content.ts';
import type { MessageEvent, ReceiptEvent } from './events.ts';

/** One of the histories that a phone tells to a device that it has linked; it tells several, one after the other. */
export interface PastHistory {
  /** Names it for ever: the same when it is told again after a crash. */
  readonly id: string;
  /** `initial`: the latest of every chat. `recent` and `full`: what was before. `on_demand`: what was asked for. */
  readonly type: 'initial' | 'recent' | 'full' | 'on_demand';
  /** How far the phone has come with all that it has to tell, in percent; absent where it does not say. */
  readonly progress?: number;
}

/** A piece of it. Chats are told after their messages. */
export interface PastPart {
  readonly messages: readonly PastMessage[];
  readonly receipts: readonly PastReceipt[];
  readonly chats: readonly PastChat[];
}

export interface PastMessage {
  /** Also a reaction, which the phone tells with the message that it is about. */
  readonly event: MessageEvent;
  /** Of own messages: how far anybody has come with it, where somebody has. */
  readonly reached?: ReceiptEvent['type'];
}

export type PastReceipt = Pick<ReceiptEvent, 'messageId' | 'recipient' | 'type' | 'timestamp'>;

/** How the owner of the number has a chat. */
export interface PastChat {
  readonly chat: Jid;
  /** Epoch seconds: what came later is not counted here. */
  readonly upTo: number;
  readonly unread: number;
  readonly archived: boolean;
  readonly pinned: boolean;
  /** Epoch ms; -1 for ever, null when it is not muted. */
  readonly mutedUntil: number | null;
}

/** Takes one history, piece by piece: the next is read when the one before is kept. */
export interface PastTaker {
  take(part: PastPart): Promise<void>;
  /** `done`: all of it is kept. `failed`: the rest can never be read. */
  end(outcome: 'done' | 'failed'): Promise<void>;
}
