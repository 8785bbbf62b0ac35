import { type EventOf, parseJid } from '@parley/contract';
import type { Clock, SealedBox } from '#kernel';
import { contentOf, sealMark, sealMessage } from './content.ts';
import type { HistoryEntry, ReceiptType } from './entry.ts';

/** Makes entries for the history of one number out of what is told about it. */
export interface NumberKeeper {
  /** Whether files are kept with their messages. */
  readonly keepsFiles: boolean;
  /** A message in or out; also one that reacts to another, edits it or takes it back. */
  message(event: EventOf<'message'>): readonly HistoryEntry[];
  receipt(receipt: KeptReceiptOf): readonly HistoryEntry[];
}

interface KeptReceiptOf {
  readonly messageId: string;
  readonly recipient: string;
  readonly type: ReceiptType;
  /** Epoch seconds. */
  readonly timestamp: number;
}

export interface OpenHistory {
  readonly id: string;
  readonly keepsFiles: boolean;
  readonly box: Pick<SealedBox, 'seal'>;
}

/** Grows with everything that is kept by this process, also over restarts, and fits a number. */
export type NextSeq = () => number;

export function createNextSeq(clock: Pick<Clock, 'now'>): NextSeq {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * 1_000);
    return last;
  };
}

export function keeperOf(
  { id: historyId, keepsFiles, box }: OpenHistory,
  clock: Pick<Clock, 'now'>,
  nextSeq: NextSeq,
): NumberKeeper {
  function mark(
    event: EventOf<'message'>,
    kind: 'reaction' | 'edit',
    targetId: string,
  ): readonly HistoryEntry[] {
    const { chat_jid: chat, sender_jid, text, message_id } = event;
    const author = kind === 'edit' ? `${sender_jid} ${message_id}` : sender_jid;
    const key = { history_id: historyId, chat, target_id: targetId, kind, author };
    const content = kind === 'edit' ? { text, sender_jid } : { emoji: text };
    const at = placeOf(event.timestamp_unix, clock.now());
    const fromMe = event.from_me ? 1 : 0;
    const sealed = sealMark(box, key, content);
    return [{ type: 'mark', historyId, kind, chat, targetId, author, fromMe, at, sealed }];
  }

  return {
    keepsFiles,
    message(event) {
      const { chat_jid: chat, message_id: messageId } = event;
      const jid = parseJid(chat)?.kind;
      const isGroup = jid === 'group';
      // Stories and channels are not conversations.
      if (event.broadcast || !(isGroup || jid === 'user' || jid === 'lid')) return [];
      if (event.reacted_message_id !== undefined) return mark(event, 'reaction', event.reacted_message_id);
      if (event.edited_message_id !== undefined) return mark(event, 'edit', event.edited_message_id);
      const fromMe = event.from_me ? 1 : 0;
      const at = placeOf(event.timestamp_unix, clock.now());
      const seq = nextSeq();
      if (event.revoked_message_id !== undefined) {
        const targetId = event.revoked_message_id;
        return [{ type: 'revocation', historyId, chat, targetId, isGroup, fromMe, at, seq }];
      }
      const key = { history_id: historyId, chat, message_id: messageId, from_me: fromMe };
      const sealed = sealMessage(box, key, contentOf(event, keepsFiles));
      const expiresAt = endOf(event);
      return [{ type: 'message', historyId, chat, messageId, fromMe, at, seq, expiresAt, sealed }];
    },

    receipt({ messageId: targetId, recipient: author, type: kind, timestamp }) {
      return [{ type: 'receipt', historyId, kind, targetId, author, at: timestamp * 1_000 }];
    },
  };
}

/** The network counts in seconds. Within one, and while it lasts, our own clock tells what came first. */
function placeOf(timestamp: number, now: number): number {
  const second = timestamp * 1_000;
  return Math.min(Math.max(now, second), second + 999);
}

/** When a message disappears from the phones; null: it stays. Without a text it may be the setting of the timer itself. */
function endOf({
  ephemeral_seconds: seconds = 0,
  type,
  text,
  timestamp_unix,
}: EventOf<'message'>): number | null {
  if (seconds === 0 || (type === 'other' && text === '')) return null;
  return (timestamp_unix + seconds) * 1_000;
}
