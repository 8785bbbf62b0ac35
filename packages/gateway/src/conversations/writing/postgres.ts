import type { PgSession } from '#platform/store';
import { queryBatch, sendBatch } from '#platform/store/batch';
import {
  bytesOf,
  type ChatEntry,
  type HistoryEntry,
  type ImportEntry,
  type KeptMark,
  type KeptMessage,
  type KeptReceipt,
  type PastChatEntry,
  type Revocation,
} from '../entry.ts';
import { BATCHES, type ChatNews, STATEMENTS, stateOf } from './postgres-statements.ts';
import { chatChanges } from './sql.ts';

/** Locks rows in one order, so that concurrent batches do not deadlock. */
export async function writeInPostgres(client: PgSession, entries: readonly HistoryEntry[]): Promise<void> {
  const ids = [...new Set(entries.map(({ historyId }) => historyId))];
  // None of them is switched off until the batch is over.
  const { rows } = await client.query<{ id: string }>(STATEMENTS.hold, [ids]);
  const on = new Set(rows.map(({ id }) => id));
  const kept = entries.filter(({ historyId }) => on.has(historyId));
  const of = <Type extends HistoryEntry['type']>(type: Type) =>
    kept.filter((entry): entry is Extract<HistoryEntry, { type: Type }> => entry.type === type);
  await keepMessages(client, of('message'));
  keepMarks(client, of('mark'));
  keepReceipts(client, of('receipt'));
  await revoke(client, of('revocation'));
  for (const entry of of('chat')) changeChat(client, entry);
  keepPastChats(client, of('past_chat'));
  keepImports(client, of('import'));
}

async function keepMessages(client: PgSession, given: readonly KeptMessage[]): Promise<void> {
  const messages = lastOfEach(given, keyOfMessage);
  const rows = await queryBatch<{ seq: number }, KeptMessage>(
    client,
    STATEMENTS.insert,
    BATCHES.messages,
    messages,
  );
  const inserted = new Set(rows.map((row) => row.seq));
  const news = messages.filter(({ seq }) => inserted.has(seq));
  noteInChats(client, chatsOf(news.filter(({ isPast }) => !isPast)));
  const older = chatsOf(news.filter(({ isPast }) => isPast));
  sendBatch(client, STATEMENTS.noteInPastChat, BATCHES.chats, older);
}

function noteInChats(client: PgSession, chats: readonly ReadableChatNews[]): void {
  const counted = chats.map((news) => ({ ...news, unread: news.isRead ? 0 : news.unread }));
  sendBatch(client, STATEMENTS.noteInChat, BATCHES.chats, counted);
  const answered = chats.filter(({ isRead, unread }) => isRead && unread > 0);
  sendBatch(client, STATEMENTS.setUnread, BATCHES.unread, answered);
}

interface ReadableChatNews extends ChatNews {
  /** Earlier messages are read. */
  isRead: boolean;
}

/** Changes of each chat by these messages, in their order. */
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
  return [...chats.values()];
}

function keepMarks(client: PgSession, given: readonly KeptMark[]): void {
  sendBatch(client, STATEMENTS.mark, BATCHES.marks, lastOfEach(given, keyOfMark));
}

function keepReceipts(client: PgSession, given: readonly KeptReceipt[]): void {
  const receipts = lastOfEach(given, keyOfReceipt);
  sendBatch(client, STATEMENTS.markReceipt, BATCHES.receipts, receipts);
  const furthest = [
    ...Map.groupBy(receipts, ({ historyId, targetId }) => `${historyId} ${targetId}`).values(),
  ].flatMap((those) => those.toSorted((one, other) => stateOf(other) - stateOf(one)).slice(0, 1));
  sendBatch(client, STATEMENTS.advance, BATCHES.states, furthest);
}

async function revoke(client: PgSession, given: readonly Revocation[]): Promise<void> {
  const revocations = lastOfEach(
    given,
    ({ historyId, chat, targetId, fromMe, isByAdmin, author }) =>
      `${historyId} ${targetId} ${chat} ${fromMe} ${isByAdmin} ${author}`,
  );
  const rows = await queryBatch<{ history_id: string; chat: string; message_id: string }, Revocation>(
    client,
    STATEMENTS.empty,
    BATCHES.revocations,
    revocations,
  );
  const gone = new Set(rows.map(({ history_id, chat, message_id }) => `${history_id} ${chat} ${message_id}`));
  const isGone = ({ historyId, chat, targetId }: Revocation): boolean =>
    gone.has(`${historyId} ${chat} ${targetId}`);
  const early = revocations.filter((each) => !isGone(each));
  sendBatch(client, STATEMENTS.dropFiles, BATCHES.targets, revocations.filter(isGone));
  sendBatch(client, STATEMENTS.leaveTrace, BATCHES.revocations, early);
  // An edit may have come before the message, and would reveal its text.
  sendBatch(client, STATEMENTS.dropMarks, BATCHES.targets, revocations);
}

const keyOfMessage = ({ historyId, messageId, chat, fromMe }: KeptMessage): string =>
  `${historyId} ${messageId} ${chat} ${fromMe}`;
const keyOfMark = ({ historyId, chat, targetId, kind, author }: KeptMark): string =>
  `${historyId} ${chat} ${targetId} ${kind} ${author}`;
const keyOfReceipt = ({ historyId, targetId, kind, author }: KeptReceipt): string =>
  `${historyId} ${targetId} ${kind} ${author}`;

/**
 * Keeps the last item of each key, because one statement writes a row once. Repeated entries are equal; of two
 * reactions of one person the later counts.
 */
function lastOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return [...byKey.values()];
}

/** One statement each: changes by an owner are rare. */
function changeChat(client: PgSession, { historyId, chat, change, value }: ChatEntry): void {
  client.send({ name: `history.chat.${change}`, text: CHANGES[change] }, [historyId, chat, value]);
}

const CHANGES = chatChanges((place) => `$${place}`);

function keepPastChats(client: PgSession, given: readonly PastChatEntry[]): void {
  const chats = lastOfEach(given, ({ historyId, chat }) => `${historyId} ${chat}`);
  sendBatch(client, STATEMENTS.flagPastChat, BATCHES.pastChats, chats);
}

function keepImports(client: PgSession, given: readonly ImportEntry[]): void {
  const imports = lastOfEach(given, ({ historyId, importId }) => `${historyId} ${importId}`);
  sendBatch(client, STATEMENTS.noteImport, BATCHES.imports, imports);
}
