import type { PgSession } from '#store';
import {
  bytesOf,
  type HistoryEntry,
  type KeptMark,
  type KeptMessage,
  type KeptReceipt,
  type Revocation,
} from '../entry.ts';
import { inOrder, lastOfEach } from './batch.ts';
import { changeChat, keepImports, keepPastChats } from './postgres-chats.ts';
import { BATCHES, type ChatNews, STATEMENTS, stateOf } from './postgres-statements.ts';

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
  for (const entry of kept) if (entry.type === 'chat') await changeChat(client, entry);
  await keepPastChats(
    client,
    kept.filter((entry) => entry.type === 'past_chat'),
  );
  await keepImports(
    client,
    kept.filter((entry) => entry.type === 'import'),
  );
}

async function keepMessages(client: PgSession, given: readonly KeptMessage[]): Promise<void> {
  const messages = lastOfEach(given, keyOfMessage);
  const { rows } = await client.query<{ seq: number }>(STATEMENTS.insert, BATCHES.messages.arrays(messages));
  const inserted = new Set(rows.map((row) => row.seq));
  const news = messages.filter(({ seq }) => inserted.has(seq));
  await noteInChats(client, chatsOf(news.filter(({ isPast }) => !isPast)));
  const older = chatsOf(news.filter(({ isPast }) => isPast));
  if (older.length > 0) await client.query(STATEMENTS.noteInPastChat, BATCHES.chats.arrays(older));
}

async function noteInChats(client: PgSession, chats: readonly ReadableChatNews[]): Promise<void> {
  if (chats.length === 0) return;
  const counted = chats.map((news) => ({ ...news, unread: news.isRead ? 0 : news.unread }));
  await client.query(STATEMENTS.noteInChat, BATCHES.chats.arrays(counted));
  const answered = chats.filter(({ isRead, unread }) => isRead && unread > 0);
  if (answered.length > 0) await client.query(STATEMENTS.setUnread, BATCHES.unread.arrays(answered));
}

interface ReadableChatNews extends ChatNews {
  /** What was unread before is read. */
  isRead: boolean;
}

/** What the messages, in their order, change of each chat. */
function chatsOf(messages: readonly KeptMessage[]): ReadableChatNews[] {
  const chats = new Map<string, ReadableChatNews>();
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
  await client.query(STATEMENTS.mark, BATCHES.marks.arrays(marks));
}

async function keepReceipts(client: PgSession, given: readonly KeptReceipt[]): Promise<void> {
  const receipts = lastOfEach(given, keyOfReceipt);
  await client.query(STATEMENTS.noteReceipt, BATCHES.receipts.arrays(receipts));
  const furthest = [
    ...Map.groupBy(receipts, ({ historyId, targetId }) => `${historyId} ${targetId}`).values(),
  ].flatMap((those) => those.toSorted((one, other) => stateOf(other) - stateOf(one)).slice(0, 1));
  await client.query(STATEMENTS.advance, BATCHES.states.arrays(furthest));
}

async function revoke(client: PgSession, given: readonly Revocation[]): Promise<void> {
  const revocations = lastOfEach(
    given,
    ({ historyId, chat, targetId, fromMe, ofAnybody, author }) =>
      `${historyId} ${targetId} ${chat} ${fromMe} ${ofAnybody} ${author}`,
  );
  const { rows } = await client.query<{ history_id: string; chat: string; message_id: string }>(
    STATEMENTS.empty,
    BATCHES.revocations.arrays(revocations),
  );
  const gone = new Set(rows.map(({ history_id, chat, message_id }) => `${history_id} ${chat} ${message_id}`));
  const isGone = ({ historyId, chat, targetId }: Revocation): boolean =>
    gone.has(`${historyId} ${chat} ${targetId}`);
  const emptied = revocations.filter(isGone);
  if (emptied.length > 0) await client.query(STATEMENTS.dropFiles, BATCHES.targets.arrays(emptied));
  const early = revocations.filter((each) => !isGone(each));
  if (early.length > 0) await client.query(STATEMENTS.leaveTrace, BATCHES.revocations.arrays(early));
  // An edit may have come before the message, and would say what it said.
  await client.query(STATEMENTS.dropMarks, BATCHES.targets.arrays(revocations));
}

const keyOfMessage = ({ historyId, messageId, chat, fromMe }: KeptMessage): string =>
  `${historyId} ${messageId} ${chat} ${fromMe}`;
const keyOfMark = ({ historyId, chat, targetId, kind, author }: KeptMark): string =>
  `${historyId} ${chat} ${targetId} ${kind} ${author}`;
const keyOfReceipt = ({ historyId, targetId, kind, author }: KeptReceipt): string =>
  `${historyId} ${targetId} ${kind} ${author}`;
