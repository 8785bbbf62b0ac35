import type { PgSession, PgStatement } from '#store';
import {
  bytesOf,
  type HistoryEntry,
  type KeptMark,
  type KeptMessage,
  type KeptReceipt,
  RECEIPT_TYPES,
  type Revocation,
  TRACE_KEPT_MS,
} from '../entry.ts';
import { KEEP_LAST, UNREAD } from './sql.ts';

/** Rows are locked in one order, so that batches beside each other do not wait for each other. */
export async function writeInPostgres(client: PgSession, entries: readonly HistoryEntry[]): Promise<void> {
  const ids = [...new Set(entries.map(({ historyId }) => historyId))];
  // Until the batch is over none of them is switched off.
  const { rows } = await client.query<{ id: string }>(STATEMENTS.hold, [ids]);
  const on = new Set(rows.map(({ id }) => id));
  const kept = entries.filter(({ historyId }) => on.has(historyId));
  const messages = kept.filter((entry) => entry.type === 'message');
  if (messages.length > 0) await keepMessages(client, messages);
  const marks = kept.filter((entry) => entry.type === 'mark');
  if (marks.length > 0) await keepMarks(client, marks);
  const receipts = kept.filter((entry) => entry.type === 'receipt');
  if (receipts.length > 0) await keepReceipts(client, receipts);
  const revocations = kept.filter((entry) => entry.type === 'revocation');
  if (revocations.length > 0) await revoke(client, revocations);
}

async function keepMessages(client: PgSession, given: readonly KeptMessage[]): Promise<void> {
  const messages = lastOfEach(given, keyOfMessage);
  const { rows } = await client.query<{ seq: number }>(STATEMENTS.insert, [
    messages.map(({ historyId }) => historyId),
    messages.map(({ messageId }) => messageId),
    messages.map(({ chat }) => chat),
    messages.map(({ fromMe }) => fromMe),
    messages.map(({ at }) => at),
    messages.map(({ seq }) => seq),
    messages.map(bytesOf),
    messages.map(({ sealed }) => sealed),
    messages.map(({ expiresAt }) => expiresAt),
  ]);
  const inserted = new Set(rows.map((row) => row.seq));
  const chats = chatsOf(messages.filter(({ seq }) => inserted.has(seq)));
  if (chats.length === 0) return;
  await client.query(STATEMENTS.noteInChat, [
    chats.map(({ historyId }) => historyId),
    chats.map(({ chat }) => chat),
    chats.map(({ lastAt }) => lastAt),
    chats.map(({ lastSeq }) => lastSeq),
    chats.map(({ oldestAt }) => oldestAt),
    chats.map(({ messages: count }) => count),
    chats.map(({ bytes }) => bytes),
    chats.map(({ isRead, unread }) => (isRead ? 0 : unread)),
  ]);
  const answered = chats.filter(({ isRead, unread }) => isRead && unread > 0);
  if (answered.length > 0)
    await client.query(STATEMENTS.setUnread, [
      answered.map(({ historyId }) => historyId),
      answered.map(({ chat }) => chat),
      answered.map(({ unread }) => unread),
    ]);
}

interface ChatNews {
  readonly historyId: string;
  readonly chat: string;
  lastAt: number;
  lastSeq: number;
  oldestAt: number;
  messages: number;
  bytes: number;
  unread: number;
  /** What was unread before is read. */
  isRead: boolean;
}

/** What the messages, in their order, change of each chat. */
function chatsOf(messages: readonly KeptMessage[]): ChatNews[] {
  const chats = new Map<string, ChatNews>();
  for (const message of messages) {
    const { historyId, chat, at, seq, fromMe } = message;
    const key = `${historyId} ${chat}`;
    const news = chats.get(key) ?? {
      ...{ historyId, chat, lastAt: at, lastSeq: seq, oldestAt: at },
      ...{ messages: 0, bytes: 0, unread: 0, isRead: false },
    };
    if (at > news.lastAt || (at === news.lastAt && seq > news.lastSeq)) {
      news.lastAt = at;
      news.lastSeq = seq;
    }
    news.oldestAt = Math.min(news.oldestAt, at);
    news.messages += 1;
    news.bytes += bytesOf(message);
    news.unread = fromMe === 1 ? 0 : news.unread + 1;
    news.isRead ||= fromMe === 1;
    chats.set(key, news);
  }
  return inOrder([...chats], ([key]) => key).map(([, news]) => news);
}

async function keepMarks(client: PgSession, given: readonly KeptMark[]): Promise<void> {
  const marks = lastOfEach(given, keyOfMark);
  await client.query(STATEMENTS.mark, [
    marks.map(({ historyId }) => historyId),
    marks.map(({ chat }) => chat),
    marks.map(({ targetId }) => targetId),
    marks.map(({ kind }) => kind),
    marks.map(({ author }) => author),
    marks.map(({ fromMe }) => fromMe),
    marks.map(({ at }) => at),
    marks.map(({ sealed }) => sealed),
  ]);
}

async function keepReceipts(client: PgSession, given: readonly KeptReceipt[]): Promise<void> {
  const receipts = lastOfEach(given, keyOfReceipt);
  await client.query(STATEMENTS.noteReceipt, [
    receipts.map(({ historyId }) => historyId),
    receipts.map(({ targetId }) => targetId),
    receipts.map(({ kind }) => kind),
    receipts.map(({ author }) => author),
    receipts.map(({ at }) => at),
  ]);
  const furthest = [
    ...Map.groupBy(receipts, ({ historyId, targetId }) => `${historyId} ${targetId}`).values(),
  ].flatMap((those) => those.toSorted((one, other) => stateOf(other) - stateOf(one)).slice(0, 1));
  await client.query(STATEMENTS.advance, [
    furthest.map(({ historyId }) => historyId),
    furthest.map(({ targetId }) => targetId),
    furthest.map(stateOf),
  ]);
}

async function revoke(client: PgSession, given: readonly Revocation[]): Promise<void> {
  const revocations = lastOfEach(
    given,
    ({ historyId, chat, targetId, fromMe }) => `${historyId} ${targetId} ${chat} ${fromMe}`,
  );
  const values = [
    revocations.map(({ historyId }) => historyId),
    revocations.map(({ chat }) => chat),
    revocations.map(({ targetId }) => targetId),
    revocations.map(({ fromMe }) => fromMe),
    revocations.map(({ at }) => at),
  ];
  const { rows } = await client.query<{ history_id: string; chat: string; message_id: string }>(
    STATEMENTS.empty,
    [...values, revocations.map(({ isGroup }) => isGroup)],
  );
  const gone = new Set(rows.map(({ history_id, chat, message_id }) => `${history_id} ${chat} ${message_id}`));
  const isGone = ({ historyId, chat, targetId }: Revocation): boolean =>
    gone.has(`${historyId} ${chat} ${targetId}`);
  const emptied = revocations.filter(isGone);
  if (emptied.length > 0) {
    const messages = [
      emptied.map(({ historyId }) => historyId),
      emptied.map(({ chat }) => chat),
      emptied.map(({ targetId }) => targetId),
    ];
    await client.query(STATEMENTS.dropMarks, messages);
    await client.query(STATEMENTS.dropFiles, messages);
  }
  const early = revocations.filter((each) => !isGone(each));
  if (early.length > 0)
    await client.query(STATEMENTS.leaveTrace, [
      early.map(({ historyId }) => historyId),
      early.map(({ chat }) => chat),
      early.map(({ targetId }) => targetId),
      early.map(({ fromMe }) => fromMe),
      early.map(({ at }) => at),
      early.map(({ seq }) => seq),
    ]);
}

function stateOf({ kind }: KeptReceipt): number {
  return RECEIPT_TYPES.indexOf(kind);
}

const keyOfMessage = ({ historyId, messageId, chat, fromMe }: KeptMessage): string =>
  `${historyId} ${messageId} ${chat} ${fromMe}`;
const keyOfMark = ({ historyId, chat, targetId, kind, author }: KeptMark): string =>
  `${historyId} ${chat} ${targetId} ${kind} ${author}`;
const keyOfReceipt = ({ historyId, targetId, kind, author }: KeptReceipt): string =>
  `${historyId} ${targetId} ${kind} ${author}`;

/** One statement writes a row once. What is told twice is the same; of two reactions of one person the later counts. */
function lastOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return [...byKey.values()];
}

function inOrder<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const STATEMENTS = {
  hold: {
    name: 'history.hold',
    text: 'SELECT id FROM histories WHERE id = ANY($1::text[]) AND ended_at IS NULL ORDER BY id FOR SHARE',
  },
  insert: {
    name: 'history.insert',
    text: `INSERT INTO history_messages (history_id, message_id, chat, from_me, at, seq, bytes, state, sealed, expires_at)
           SELECT d.history_id, d.message_id, d.chat, d.from_me, d.at, d.seq, d.bytes, 0, d.sealed, d.expires_at
           FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bytea[], $9::bigint[])
             AS d(history_id, message_id, chat, from_me, at, seq, bytes, sealed, expires_at)
           ORDER BY d.history_id, d.message_id, d.chat, d.from_me
           ON CONFLICT DO NOTHING RETURNING seq`,
  },
  noteInChat: {
    name: 'history.chat',
    text: `INSERT INTO history_chats AS c (history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread, archived, pinned, cleared_at, cleared_seq)
           SELECT d.history_id, d.chat, d.last_at, d.last_seq, d.oldest_at, d.messages, d.bytes, d.unread, 0, 0, 0, 0
           FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
             AS d(history_id, chat, last_at, last_seq, oldest_at, messages, bytes, unread)
           ORDER BY d.history_id, d.chat
           ON CONFLICT (history_id, chat) DO UPDATE SET ${KEEP_LAST}, ${UNREAD}`,
  },
  setUnread: {
    name: 'history.chat.unread',
    text: `UPDATE history_chats c SET unread = d.unread FROM unnest($1::text[], $2::text[], $3::bigint[]) AS d(history_id, chat, unread)
           WHERE c.history_id = d.history_id AND c.chat = d.chat`,
  },
  mark: {
    name: 'history.mark',
    text: `INSERT INTO history_marks AS k (history_id, chat, target_id, kind, author, from_me, at, sealed)
           SELECT d.history_id, d.chat, d.target_id, d.kind, d.author, d.from_me, d.at, d.sealed
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bytea[])
             AS d(history_id, chat, target_id, kind, author, from_me, at, sealed)
           WHERE NOT EXISTS (SELECT 1 FROM history_messages m WHERE m.history_id = d.history_id AND m.message_id = d.target_id
             AND m.chat = d.chat AND m.revoked_at IS NOT NULL)
           ORDER BY d.history_id, d.chat, d.target_id, d.kind, d.author
           ON CONFLICT (history_id, chat, target_id, kind, author)
             DO UPDATE SET at = excluded.at, sealed = excluded.sealed, from_me = excluded.from_me WHERE excluded.at >= k.at`,
  },
  noteReceipt: {
    name: 'history.receipt',
    text: `INSERT INTO history_marks (history_id, chat, target_id, kind, author, from_me, at)
           SELECT d.history_id, m.chat, d.target_id, d.kind, d.author, 0, d.at
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) AS d(history_id, target_id, kind, author, at)
           JOIN history_messages m ON m.history_id = d.history_id AND m.message_id = d.target_id AND m.from_me = 1
           ORDER BY d.history_id, m.chat, d.target_id, d.kind, d.author ON CONFLICT DO NOTHING`,
  },
  advance: {
    name: 'history.advance',
    text: `UPDATE history_messages m SET state = d.state
           FROM unnest($1::text[], $2::text[], $3::bigint[]) AS d(history_id, target_id, state)
           WHERE m.history_id = d.history_id AND m.message_id = d.target_id AND m.from_me = 1 AND m.state < d.state`,
  },
  empty: {
    name: 'history.revoke',
    text: `UPDATE history_messages m SET sealed = NULL, revoked_at = d.at
           FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bool[])
             AS d(history_id, chat, target_id, from_me, at, is_group)
           WHERE m.history_id = d.history_id AND m.message_id = d.target_id AND m.chat = d.chat AND (d.is_group OR m.from_me = d.from_me)
           RETURNING m.history_id, m.chat, m.message_id`,
  },
  dropMarks: {
    name: 'history.revoke.marks',
    text: `DELETE FROM history_marks k USING unnest($1::text[], $2::text[], $3::text[]) AS d(history_id, chat, target_id)
           WHERE k.history_id = d.history_id AND k.chat = d.chat AND k.target_id = d.target_id`,
  },
  dropFiles: {
    name: 'history.revoke.files',
    text: `UPDATE media SET expires_at = 0 FROM unnest($1::text[], $2::text[], $3::text[]) AS d(history_id, chat, message_id)
           JOIN media_arrivals a ON a.history_id = d.history_id AND a.chat = d.chat AND a.message_id = d.message_id
           WHERE media.id = a.media_id`,
  },
  leaveTrace: {
    name: 'history.revoke.trace',
    text: `INSERT INTO history_messages (history_id, message_id, chat, from_me, at, seq, bytes, state, revoked_at, expires_at)
           SELECT d.history_id, d.target_id, d.chat, d.from_me, d.at, d.seq, 0, 0, d.at, d.at + ${TRACE_KEPT_MS}
           FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
             AS d(history_id, chat, target_id, from_me, at, seq)
           ON CONFLICT DO NOTHING`,
  },
} as const satisfies Record<string, PgStatement>;
