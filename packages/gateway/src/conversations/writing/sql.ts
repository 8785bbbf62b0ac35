import type { ChatEntry } from '../entry.ts';

/** SQL of both dialects for an upsert of a chat `c`: changes by one or more new messages. */
export const KEEP_LAST = `
  last_seq = CASE WHEN (excluded.last_at, excluded.last_seq) > (c.last_at, c.last_seq) THEN excluded.last_seq ELSE c.last_seq END,
  last_at = CASE WHEN excluded.last_at > c.last_at THEN excluded.last_at ELSE c.last_at END,
  oldest_at = CASE WHEN c.messages = 0 OR excluded.oldest_at < c.oldest_at THEN excluded.oldest_at ELSE c.oldest_at END,
  messages = c.messages + excluded.messages,
  bytes = c.bytes + excluded.bytes`;

/** An own message marks earlier ones as read. */
export const UNREAD = 'unread = CASE excluded.unread WHEN 0 THEN 0 ELSE c.unread + excluded.unread END';

/** Counts once, plus the messages that came later; when the number has written since, all earlier ones are read. */
export const FLAGS_OF_PAST = `
  archived = excluded.archived, pinned = excluded.pinned, muted_until = excluded.muted_until, past_at = excluded.past_at,
  unread = CASE
    WHEN EXISTS (SELECT 1 FROM history_messages m WHERE m.history_id = c.history_id AND m.chat = c.chat AND m.at > excluded.past_at AND m.from_me = 1)
    THEN c.unread
    ELSE excluded.unread + (SELECT count(*) FROM history_messages m
      WHERE m.history_id = c.history_id AND m.chat = c.chat AND m.at > excluded.past_at AND m.from_me = 0)
    END
  WHERE c.past_at IS NULL OR c.past_at < excluded.past_at`;

/** A repeated import does not lose its progress. */
export const IMPORT = `
  state = CASE i.state WHEN 'done' THEN i.state ELSE excluded.state END, progress = excluded.progress, updated_at = excluded.updated_at,
  messages = CASE WHEN excluded.messages > i.messages THEN excluded.messages ELSE i.messages END,
  chats = CASE WHEN excluded.chats > i.chats THEN excluded.chats ELSE i.chats END`;

/** Changes of a chat by the owner, in both dialects; `p` names the parameters history, chat and value by position. */
export function chatChanges(p: (place: 1 | 2 | 3) => string): Record<ChatEntry['change'], string> {
  const value = `CAST(${p(3)} AS bigint)`;
  const ofChat = `WHERE history_id = ${p(1)} AND chat = ${p(2)}`;
  const since = `(SELECT count(*) FROM history_messages m
    WHERE m.history_id = ${p(1)} AND m.chat = ${p(2)} AND m.at > ${value} AND m.from_me = 0)`;
  const set = (column: string): string => {
    const values = ['archived', 'pinned', 'muted_until'].map((each) =>
      each === column ? value : each === 'muted_until' ? 'NULL' : '0',
    );
    return `INSERT INTO history_chats (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, muted_until, cleared_at, cleared_seq)
      VALUES (${p(1)}, ${p(2)}, 0, 0, 0, 0, 0, 0, ${values.join(', ')}, 0, 0)
      ON CONFLICT (history_id, chat) DO UPDATE SET ${column} = excluded.${column}`;
  };
  return {
    archived: set('archived'),
    pinned: set('pinned'),
    muted: set('muted_until'),
    read: `UPDATE history_chats SET unread = ${since} ${ofChat}`,
    unread: `UPDATE history_chats SET unread = CASE WHEN unread > ${value} THEN unread ELSE ${value} END ${ofChat}`,
    cleared: `UPDATE history_chats SET unread = ${since},
      cleared_at = CASE WHEN last_at <= ${value} THEN last_at ELSE ${value} END,
      cleared_seq = CASE WHEN last_at <= ${value} THEN last_seq ELSE ${Number.MAX_SAFE_INTEGER} END
      ${ofChat} AND cleared_at <= ${value}`,
  };
}

/**
 * Whether the message exists and was not deleted. Senders choose ids, and a person may only delete their own
 * messages.
 */
export function stillStands(historyId: string, chat: string, messageId: string): string {
  return `EXISTS (SELECT 1 FROM history_messages m WHERE m.history_id = ${historyId} AND m.message_id = ${messageId}
    AND m.chat = ${chat} AND m.revoked_at IS NULL)`;
}
