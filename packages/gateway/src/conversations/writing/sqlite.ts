import type { SqliteSession } from '#platform/store';
import {
  bytesOf,
  type ChatEntry,
  type HistoryEntry,
  type ImportEntry,
  type KeptMark,
  type KeptMessage,
  type KeptReceipt,
  type PastChatEntry,
  RECEIPT_TYPES,
  type Revocation,
  TRACE_KEPT_MS,
} from '../entry.ts';
import { chatChanges, FLAGS_OF_PAST, IMPORT, KEEP_LAST, stillStands, UNREAD } from './sql.ts';

export function openSqliteWriter(db: SqliteSession): (entries: readonly HistoryEntry[]) => void {
  const isOn = db.prepare<{ id: string }>('SELECT id FROM histories WHERE id = ? AND ended_at IS NULL');
  const insert = db.prepare(
    `INSERT INTO history_messages (history_id, message_id, chat, from_me, at, seq, bytes, state, sealed, expires_at, author)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const noteInChat = db.prepare(
    `INSERT INTO history_chats AS c (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, cleared_at, cleared_seq)
     VALUES (?, ?, ?, ?, ?, 1, ?, ?, 0, 0, 0, 0)
     ON CONFLICT (history_id, chat) DO UPDATE SET ${KEEP_LAST}, ${UNREAD}`,
  );
  const past = openPastWriter(db);
  // Also before its message, which may come later when it could not be decrypted at first.
  const mark = db.prepare(
    `INSERT INTO history_marks AS k (history_id, chat, target_id, kind, author, from_me, at, sealed)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE ${stillStands('?1', '?2', '?3')}
       OR NOT EXISTS (SELECT 1 FROM history_messages m WHERE m.history_id = ?1 AND m.message_id = ?3 AND m.chat = ?2)
     ON CONFLICT DO UPDATE SET at = excluded.at, sealed = excluded.sealed, from_me = excluded.from_me WHERE excluded.at >= k.at`,
  );
  const markReceipt = db.prepare(
    `INSERT INTO history_marks (history_id, chat, target_id, kind, author, from_me, at)
     SELECT m.history_id, m.chat, m.message_id, ?, ?, 0, ? FROM history_messages m
     WHERE m.history_id = ? AND m.message_id = ? AND m.from_me = 1 LIMIT 1 ON CONFLICT DO NOTHING`,
  );
  const advance = db.prepare(
    'UPDATE history_messages SET state = ? WHERE history_id = ? AND message_id = ? AND from_me = 1 AND state < ?',
  );
  const empty = db.prepare(
    `UPDATE history_messages SET sealed = NULL, revoked_at = ?
     WHERE history_id = ? AND message_id = ? AND chat = ? AND (? OR (from_me = ? AND (author IS NULL OR author = ?)))`,
  );
  const leaveTrace = db.prepare(
    `INSERT INTO history_messages (history_id, message_id, chat, from_me, at, seq, bytes, state, revoked_at, expires_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, 0, 0, ?7, ?8 WHERE NOT EXISTS (SELECT 1 FROM history_messages m
       WHERE m.history_id = ?1 AND m.message_id = ?2 AND m.chat = ?3)
     ON CONFLICT DO NOTHING`,
  );
  const dropMarks = db.prepare(
    `DELETE FROM history_marks WHERE history_id = ?1 AND chat = ?2 AND target_id = ?3 AND NOT ${stillStands('?1', '?2', '?3')}`,
  );
  const dropFiles = db.prepare(
    `UPDATE media SET expires_at = 0
     WHERE id IN (SELECT media_id FROM media_arrivals WHERE history_id = ? AND chat = ? AND message_id = ?)`,
  );

  function keepMessage(message: KeptMessage): void {
    const { historyId, messageId, chat, fromMe, at, seq, state, sealed, expiresAt, author } = message;
    if (message.isPast && past.isCleared(message)) return;
    const bytes = bytesOf(message);
    const { changes } = insert.run(
      ...[historyId, messageId, chat, fromMe, at, seq, bytes, state, sealed, expiresAt, author],
    );
    if (changes === 0) return;
    if (message.isPast) past.noteInChat(message);
    else noteInChat.run(historyId, chat, at, seq, at, bytes, fromMe === 1 ? 0 : 1);
  }

  function keepMark({ historyId, kind, chat, targetId, author, fromMe, at, sealed }: KeptMark): void {
    mark.run(historyId, chat, targetId, kind, author, fromMe, at, sealed);
  }

  function keepReceipt({ historyId, kind, targetId, author, at }: KeptReceipt): void {
    if (markReceipt.run(kind, author, at, historyId, targetId).changes === 0) return;
    const state = RECEIPT_TYPES.indexOf(kind);
    advance.run(state, historyId, targetId, state);
  }

  // Deleted content is overwritten in its page only while this is on, which makes other writes larger.
  const overwrite = [1, 0].map((on) => db.prepare(`PRAGMA secure_delete = ${on}`));

  function revoke({ historyId, chat, targetId, isByAdmin, author, fromMe, at, seq }: Revocation): void {
    overwrite[0]?.get();
    if (empty.run(at, historyId, targetId, chat, isByAdmin ? 1 : 0, fromMe, author).changes === 0)
      // If the message itself comes later, it is deleted already.
      leaveTrace.run(historyId, targetId, chat, fromMe, at, seq, at, at + TRACE_KEPT_MS);
    else dropFiles.run(historyId, chat, targetId);
    // An edit may have come before the message, and would reveal its text.
    dropMarks.run(historyId, chat, targetId);
    overwrite[1]?.get();
  }

  const changes = chatChanges((place) => `?${place}`);
  const changeChat = {
    ...{ read: db.prepare(changes.read), unread: db.prepare(changes.unread) },
    ...{ archived: db.prepare(changes.archived), pinned: db.prepare(changes.pinned) },
    ...{ muted: db.prepare(changes.muted), cleared: db.prepare(changes.cleared) },
  };

  function keepChat({ historyId, chat, change, value }: ChatEntry): void {
    changeChat[change].run(historyId, chat, value);
  }

  const writers = {
    ...{ message: keepMessage, mark: keepMark, receipt: keepReceipt, revocation: revoke },
    ...{ chat: keepChat, past_chat: past.keepChat, import: past.keepImport },
  };

  return (entries) => {
    for (const entry of entries) {
      // Each kind has the writer of its own name.
      if (isOn.get(entry.historyId)) (writers[entry.type] as (entry: HistoryEntry) => void)(entry);
    }
  };
}

/** Writes the phone's history from before the link. */
function openPastWriter(db: SqliteSession) {
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
