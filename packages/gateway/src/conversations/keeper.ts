import { type EventOf, parseJid } from '@parley/contract';
import { type Clock, DAY_MS, type SealedBox } from '#kernel';
import { contentOf, sealMark, sealMessage } from './content.ts';
import { type HistoryEntry, type ImportEntry, RECEIPT_TYPES, type ReceiptType } from './entry.ts';

/** Builds the history entries of one number from its events. */
export interface NumberKeeper {
  /** Whether files are stored with their messages. */
  readonly keepsFiles: boolean;
  /** A message in or out; also a reaction, an edit or a deletion. */
  message(event: EventOf<'message'>, network?: NetworkWord): readonly HistoryEntry[];
  receipt(receipt: KeptReceiptOf): readonly HistoryEntry[];
  /** The owner changed a chat, on any device. */
  chat(event: ChatEvent): readonly HistoryEntry[];
  readonly past: PastKeeper;
}

/** Facts from the network beside the event. */
interface NetworkWord {
  /** A group admin deletes the message of any author. */
  readonly byAdmin?: boolean;
}

/** A change of a chat, as the network reports it. */
interface ChatEvent {
  readonly chat: string;
  readonly change:
    | { readonly type: 'read'; readonly on: boolean; readonly upTo?: number }
    | { readonly type: 'archived' | 'pinned'; readonly on: boolean }
    | { readonly type: 'muted'; readonly until: number | null }
    | { readonly type: 'deleted' | 'cleared'; readonly upTo?: number };
}

/** Builds the entries of the phone's history from before the link. Messages beyond the age limit make none. */
export interface PastKeeper {
  /** `reached`: furthest receipt of an own message. */
  message(event: EventOf<'message'>, reached: ReceiptType | undefined): readonly HistoryEntry[];
  chat(chat: PastChat): readonly HistoryEntry[];
  progress(progress: Omit<ImportEntry, 'type' | 'historyId' | 'at'>): readonly HistoryEntry[];
}

/** State of a chat on the phone. */
interface PastChat {
  readonly chat: string;
  /** Epoch seconds; 0: unknown. */
  readonly upTo: number;
  readonly unread: number;
  readonly archived: boolean;
  readonly pinned: boolean;
  readonly mutedUntil: number | null;
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
  readonly days: number;
  readonly box: Pick<SealedBox, 'seal' | 'fingerprint'>;
}

/** Increases with every entry of this process, also across restarts, and fits a JavaScript number. */
export type NextSeq = () => number;

/** Phones send the newest messages first: later ones sort before them, and all of them before live messages. */
const PAST_SEQ = 3e15;
const AUTHOR_BYTES = 9;

export function createNextSeq(clock: Pick<Clock, 'now'>): NextSeq {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * 1_000);
    return last;
  };
}

export function keeperOf(
  { id: historyId, keepsFiles, days, box }: OpenHistory,
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

  /** Null in direct chats, which have one other person. In a group only a fingerprint of the author is stored in clear. */
  function authorOf({ chat_jid, from_me, sender_lid, sender_jid }: EventOf<'message'>): string | null {
    if (from_me || parseJid(chat_jid)?.kind !== 'group') return null;
    const fingerprint = box.fingerprint(`author ${historyId} ${sender_lid ?? sender_jid}`);
    return Buffer.from(fingerprint).subarray(0, AUTHOR_BYTES).toString('base64url');
  }

  /** `at`, `seq`: position of the entry, if it is a message. */
  function entriesOf(
    event: EventOf<'message'>,
    place: { at: number; seq: number; state: number; isPast: boolean },
    { byAdmin = false }: NetworkWord = {},
  ): readonly HistoryEntry[] {
    const { chat_jid: chat, message_id: messageId } = event;
    const jid = parseJid(chat)?.kind;
    const isGroup = jid === 'group';
    // Stories and channels are not conversations.
    if (event.broadcast || !(isGroup || jid === 'user' || jid === 'lid')) return [];
    // They change a message in a way that a conversation does not show.
    if (event.unreadable_update ?? event.event_response) return [];
    if (event.reacted_message_id !== undefined) return mark(event, 'reaction', event.reacted_message_id);
    if (event.edited_message_id !== undefined) return mark(event, 'edit', event.edited_message_id);
    const fromMe = event.from_me ? 1 : 0;
    if (event.revoked_message_id !== undefined) {
      const targetId = event.revoked_message_id;
      const { at, seq } = place;
      const isByAdmin = isGroup && byAdmin;
      const author = authorOf(event);
      return [{ type: 'revocation', historyId, chat, targetId, isByAdmin, author, fromMe, at, seq }];
    }
    const key = { history_id: historyId, chat, message_id: messageId, from_me: fromMe };
    const sealed = sealMessage(box, key, contentOf(event, keepsFiles));
    const expiresAt = endOf(event);
    const author = authorOf(event);
    return [{ type: 'message', historyId, chat, messageId, fromMe, expiresAt, sealed, author, ...place }];
  }

  const past: PastKeeper = {
    message(event, reached) {
      const now = clock.now();
      const at = event.timestamp_unix * 1_000;
      const end = endOf(event);
      if (at < now - days * DAY_MS || (end !== null && end <= now)) return [];
      const state = reached === undefined ? 0 : RECEIPT_TYPES.indexOf(reached);
      return entriesOf(event, { at, seq: PAST_SEQ - nextSeq(), state, isPast: true });
    },
    chat({ chat, upTo, unread, archived, pinned, mutedUntil }) {
      return [
        {
          type: 'past_chat',
          historyId,
          chat,
          upTo: upTo > 0 ? upTo * 1_000 + 999 : clock.now(),
          unread,
          archived: archived ? 1 : 0,
          pinned: pinned ? 1 : 0,
          mutedUntil,
        },
      ];
    },
    progress: (progress) => [{ type: 'import', historyId, at: clock.now(), ...progress }],
  };

  return {
    keepsFiles,
    message(event, network) {
      const at = placeOf(event.timestamp_unix, clock.now());
      return entriesOf(event, { at, seq: nextSeq(), state: 0, isPast: false }, network);
    },

    receipt({ messageId: targetId, recipient: author, type: kind, timestamp }) {
      return [{ type: 'receipt', historyId, kind, targetId, author, at: timestamp * 1_000 }];
    },

    chat({ chat, change }) {
      const entry = { type: 'chat', historyId, chat } as const;
      const end = (upTo: number | undefined): number =>
        upTo === undefined ? clock.now() : upTo * 1_000 + 999;
      switch (change.type) {
        case 'read':
          return change.on
            ? [{ ...entry, change: 'read', value: end(change.upTo) }]
            : [{ ...entry, change: 'unread', value: 1 }];
        case 'muted':
          return [{ ...entry, change: 'muted', value: change.until }];
        case 'archived':
        case 'pinned':
          return [{ ...entry, change: change.type, value: change.on ? 1 : 0 }];
        case 'deleted':
        case 'cleared':
          return [{ ...entry, change: 'cleared', value: end(change.upTo) }];
      }
    },

    past,
  };
}

/** The network's timestamps are seconds. Within the current second the local clock gives the order. */
function placeOf(timestamp: number, now: number): number {
  const second = timestamp * 1_000;
  return Math.min(Math.max(now, second), second + 999);
}

/**
 * When a message disappears from the phones; null: it stays. Without a text it may be the change of the timer itself.
 */
function endOf({
  ephemeral_seconds: seconds = 0,
  type,
  text,
  timestamp_unix,
}: EventOf<'message'>): number | null {
  if (seconds === 0 || (type === 'other' && text === '')) return null;
  return (timestamp_unix + seconds) * 1_000;
}
