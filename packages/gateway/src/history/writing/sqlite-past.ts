import type { SqliteSession } from '#store';
import { bytesOf, type ImportEntry, type KeptMessage, type PastChatEntry } from '../entry.ts';
import { FLAGS_OF_PAST, IMPORT, KEEP_LAST } from './sql.ts';

/** What the phone tells of the time before the number was linked. */
export function openPastWriter(db: SqliteSession) {
  const findClearing = db.prepare<{ cleared_at: number }>(
    'SELECT cleared_at FROM history_chats WHERE history_id = ? AND chat = ? AND cleared_at >= ?',
  );
  const noteInChat = db.prepare(
    `INSERT INTO history_chats AS c (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, cleared_at, cleared_seq)
     VALUES (?, ?, ?, ?, ?, 1, ?, 0, 0, 0, 0, 0)
     ON CONFLICT (history_id, chat) DO UPDATE SET ${KEEP_LAST}`,
  );
  const flag = db.prepare(
    `INSERT INTO history_chats AS c (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, muted_until, cleared_at, cleared_seq, past_at)
     VALUES (?, ?, 0, 0, 0, 0, 0, ?, ?, ?, ?, 0, 0, ?)
     ON CONFLICT (history_id, chat) DO UPDATE SET ${FLAGS_OF_PAST}`,
  );
  const noteImport = db.prepare(
    `INSERT INTO history_imports AS i (history_id, import_id, state, progress, messages, chats, started_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (history_id, import_id) DO UPDATE SET ${IMPORT}`,
  );
  return {
    /** The owner has deleted the chat since. */
    isCleared: ({ historyId, chat, at }: KeptMessage): boolean =>
      findClearing.get(historyId, chat, at) !== undefined,
    noteInChat(message: KeptMessage): void {
      const { historyId, chat, at, seq } = message;
      noteInChat.run(historyId, chat, at, seq, at, bytesOf(message));
    },
    keepChat({ historyId, chat, upTo, unread, archived, pinned, mutedUntil }: PastChatEntry): void {
      flag.run(historyId, chat, unread, archived, pinned, mutedUntil, upTo);
    },
    keepImport({ historyId, importId, state, progress, messages, chats, at }: ImportEntry): void {
      noteImport.run(historyId, importId, state, progress, messages, chats, at, at);
    },
  };
}
