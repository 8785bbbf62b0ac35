import type { PgStatement } from '#platform/store';
import { defineBatch } from '#platform/store/batch';
import {
  bytesOf,
  type ImportEntry,
  type KeptMark,
  type KeptMessage,
  type KeptReceipt,
  type PastChatEntry,
  RECEIPT_TYPES,
  type Revocation,
  TRACE_KEPT_MS,
} from '../entry.ts';
import { FLAGS_OF_PAST, IMPORT, KEEP_LAST, stillStands, UNREAD } from './sql.ts';

/** Changes of a chat by new messages. */
export interface ChatNews {
  readonly historyId: string;
  readonly chat: string;
  lastAt: number;
  lastSeq: number;
  oldestAt: number;
  messages: number;
  bytes: number;
  unread: number;
}

/** State of a message after a receipt, as an increasing number. */
export function stateOf({ kind }: KeptReceipt): number {
  return RECEIPT_TYPES.indexOf(kind);
}

export const BATCHES = {
  messages: defineBatch<KeptMessage>(
    {
      historyId: 'text',
      messageId: 'text',
      chat: 'text',
      fromMe: 'bigint',
      at: 'bigint',
      seq: 'bigint',
      sealed: 'bytea',
      expiresAt: 'bigint',
      state: 'bigint',
      isPast: 'bool',
      author: 'text',
    },
    { bytes: ['bigint', bytesOf] },
  ),
  chats: defineBatch<ChatNews>({
    historyId: 'text',
    chat: 'text',
    lastAt: 'bigint',
    lastSeq: 'bigint',
    oldestAt: 'bigint',
    messages: 'bigint',
    bytes: 'bigint',
    unread: 'bigint',
  }),
  unread: defineBatch<ChatNews>({ historyId: 'text', chat: 'text', unread: 'bigint' }),
  pastChats: defineBatch<PastChatEntry>({
    historyId: 'text',
    chat: 'text',
    unread: 'bigint',
    archived: 'bigint',
    pinned: 'bigint',
    mutedUntil: 'bigint',
    upTo: 'bigint',
  }),
  imports: defineBatch<ImportEntry>({
    historyId: 'text',
    importId: 'text',
    state: 'text',
    progress: 'bigint',
    messages: 'bigint',
    chats: 'bigint',
    at: 'bigint',
  }),
  marks: defineBatch<KeptMark>({
    historyId: 'text',
    chat: 'text',
    targetId: 'text',
    kind: 'text',
    author: 'text',
    fromMe: 'bigint',
    at: 'bigint',
    sealed: 'bytea',
  }),
  receipts: defineBatch<KeptReceipt>({
    historyId: 'text',
    targetId: 'text',
    kind: 'text',
    author: 'text',
    at: 'bigint',
  }),
  states: defineBatch<KeptReceipt>({ historyId: 'text', targetId: 'text' }, { state: ['bigint', stateOf] }),
  revocations: defineBatch<Revocation>({
    historyId: 'text',
    chat: 'text',
    targetId: 'text',
    fromMe: 'bigint',
    at: 'bigint',
    seq: 'bigint',
    isByAdmin: 'bool',
    author: 'text',
  }),
  targets: defineBatch<Revocation>({ historyId: 'text', chat: 'text', targetId: 'text' }),
} as const;

export const STATEMENTS = {
  hold: {
    name: 'history.hold',
    text: 'SELECT id FROM histories WHERE id = ANY($1::text[]) AND ended_at IS NULL ORDER BY id FOR SHARE',
  },
  insert: {
    name: 'history.insert',
    text: `INSERT INTO history_messages (history_id, message_id, chat, from_me, at, seq, bytes, state, sealed, expires_at, author)
           SELECT d.history_id, d.message_id, d.chat, d.from_me, d.at, d.seq, d.bytes, d.state, d.sealed, d.expires_at, d.author
           FROM ${BATCHES.messages.relation('d')}
           WHERE NOT d.is_past OR NOT EXISTS (SELECT 1 FROM history_chats c
             WHERE c.history_id = d.history_id AND c.chat = d.chat AND c.cleared_at >= d.at)
           ORDER BY d.history_id, d.message_id, d.chat, d.from_me
           ON CONFLICT DO NOTHING RETURNING seq`,
  },
  noteInChat: {
    name: 'history.chat',
    text: `INSERT INTO history_chats AS c (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, cleared_at, cleared_seq)
           SELECT d.history_id, d.chat, d.last_at, d.last_seq, d.oldest_at, d.messages, d.bytes, d.unread, 0, 0, 0, 0
           FROM ${BATCHES.chats.relation('d')}
           ORDER BY d.history_id, d.chat
           ON CONFLICT (history_id, chat) DO UPDATE SET ${KEEP_LAST}, ${UNREAD}`,
  },
  noteInPastChat: {
    name: 'history.chat.past',
    text: `INSERT INTO history_chats AS c (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, cleared_at, cleared_seq)
           SELECT d.history_id, d.chat, d.last_at, d.last_seq, d.oldest_at, d.messages, d.bytes, 0, 0, 0, 0, 0
           FROM ${BATCHES.chats.relation('d')}
           ORDER BY d.history_id, d.chat
           ON CONFLICT (history_id, chat) DO UPDATE SET ${KEEP_LAST}`,
  },
  flagPastChat: {
    name: 'history.chat.past.flags',
    text: `INSERT INTO history_chats AS c (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, muted_until, cleared_at, cleared_seq, past_at)
           SELECT d.history_id, d.chat, 0, 0, 0, 0, 0, d.unread, d.archived, d.pinned, d.muted_until, 0, 0, d.up_to
           FROM ${BATCHES.pastChats.relation('d')}
           ORDER BY d.history_id, d.chat
           ON CONFLICT (history_id, chat) DO UPDATE SET ${FLAGS_OF_PAST}`,
  },
  noteImport: {
    name: 'history.import',
    text: `INSERT INTO history_imports AS i (history_id, import_id, state, progress, messages, chats, started_at, updated_at)
           SELECT d.history_id, d.import_id, d.state, d.progress, d.messages, d.chats, d.at, d.at
           FROM ${BATCHES.imports.relation('d')}
           ORDER BY d.history_id, d.import_id
           ON CONFLICT (history_id, import_id) DO UPDATE SET ${IMPORT}`,
  },
  setUnread: {
    name: 'history.chat.unread',
    text: `UPDATE history_chats c SET unread = d.unread FROM ${BATCHES.unread.relation('d')}
           WHERE c.history_id = d.history_id AND c.chat = d.chat`,
  },
  mark: {
    name: 'history.mark',
    text: `INSERT INTO history_marks AS k (history_id, chat, target_id, kind, author, from_me, at, sealed)
           SELECT d.history_id, d.chat, d.target_id, d.kind, d.author, d.from_me, d.at, d.sealed
           FROM ${BATCHES.marks.relation('d')}
           WHERE ${stillStands('d.history_id', 'd.chat', 'd.target_id')} OR NOT EXISTS (SELECT 1 FROM history_messages m
             WHERE m.history_id = d.history_id AND m.message_id = d.target_id AND m.chat = d.chat)
           ORDER BY d.history_id, d.chat, d.target_id, d.kind, d.author
           ON CONFLICT (history_id, chat, target_id, kind, author)
             DO UPDATE SET at = excluded.at, sealed = excluded.sealed, from_me = excluded.from_me WHERE excluded.at >= k.at`,
  },
  markReceipt: {
    name: 'history.receipt',
    text: `INSERT INTO history_marks (history_id, chat, target_id, kind, author, from_me, at)
           SELECT d.history_id, m.chat, d.target_id, d.kind, d.author, 0, d.at
           FROM ${BATCHES.receipts.relation('d')}
           JOIN history_messages m ON m.history_id = d.history_id AND m.message_id = d.target_id AND m.from_me = 1
           ORDER BY d.history_id, m.chat, d.target_id, d.kind, d.author ON CONFLICT DO NOTHING`,
  },
  advance: {
    name: 'history.advance',
    text: `UPDATE history_messages m SET state = d.state
           FROM ${BATCHES.states.relation('d')}
           WHERE m.history_id = d.history_id AND m.message_id = d.target_id AND m.from_me = 1 AND m.state < d.state`,
  },
  empty: {
    name: 'history.revoke',
    text: `UPDATE history_messages m SET sealed = NULL, revoked_at = d.at
           FROM ${BATCHES.revocations.relation('d')}
           WHERE m.history_id = d.history_id AND m.message_id = d.target_id AND m.chat = d.chat
             AND (d.is_by_admin OR (m.from_me = d.from_me AND (m.author IS NULL OR m.author = d.author)))
           RETURNING m.history_id, m.chat, m.message_id`,
  },
  dropMarks: {
    name: 'history.revoke.marks',
    text: `DELETE FROM history_marks k USING ${BATCHES.targets.relation('d')}
           WHERE k.history_id = d.history_id AND k.chat = d.chat AND k.target_id = d.target_id
             AND NOT ${stillStands('d.history_id', 'd.chat', 'd.target_id')}`,
  },
  dropFiles: {
    name: 'history.revoke.files',
    text: `UPDATE media SET expires_at = 0 FROM ${BATCHES.targets.relation('d')}
           JOIN media_arrivals a ON a.history_id = d.history_id AND a.chat = d.chat AND a.message_id = d.target_id
           WHERE media.id = a.media_id`,
  },
  leaveTrace: {
    name: 'history.revoke.trace',
    text: `INSERT INTO history_messages (history_id, message_id, chat, from_me, at, seq, bytes, state, revoked_at, expires_at)
           SELECT d.history_id, d.target_id, d.chat, d.from_me, d.at, d.seq, 0, 0, d.at, d.at + ${TRACE_KEPT_MS}
           FROM ${BATCHES.revocations.relation('d')}
           WHERE NOT EXISTS (SELECT 1 FROM history_messages m
             WHERE m.history_id = d.history_id AND m.message_id = d.target_id AND m.chat = d.chat)
           ON CONFLICT DO NOTHING`,
  },
} as const satisfies Record<string, PgStatement>;
