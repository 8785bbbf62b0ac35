import { sql } from 'kysely';
import type {
  HistoryChatRow,
  HistoryImportRow,
  HistoryMarkRow,
  HistoryMessageRow,
  HistoryRow,
  Reader,
  Writer,
} from '#platform/store';
import type { Revocation } from './entry.ts';

type Db = Pick<Reader, 'selectFrom'>;

/** The number with its owner. */
export async function findNumber(
  db: Db,
  slotId: string,
): Promise<{ slotId: string; accountId: string; phone: string } | undefined> {
  return db
    .selectFrom('devices')
    .select(['slot_id as slotId', 'account_id as accountId', 'phone'])
    .where('slot_id', '=', slotId)
    .executeTakeFirst();
}

/** The active history of a number. */
export function findHistory(db: Db, slotId: string): Promise<HistoryRow | undefined> {
  return db
    .selectFrom('histories')
    .selectAll()
    .where('slot_id', '=', slotId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** Whether the message to delete is stored, and was written by another person. */
export async function isAnothers(
  db: Db,
  { historyId, chat, targetId, isByAdmin, author, fromMe }: Revocation,
): Promise<boolean> {
  if (isByAdmin) return false;
  const kept = await db
    .selectFrom('history_messages')
    .select(['from_me', 'author'])
    .where('history_id', '=', historyId)
    .where('message_id', '=', targetId)
    .where('chat', '=', chat)
    .execute();
  const isTheirs = kept.some(
    (row) => row.from_me === fromMe && (row.author === null || row.author === author),
  );
  return kept.length > 0 && !isTheirs;
}

/** All active histories. */
export function listHistories(db: Db): Promise<HistoryRow[]> {
  return db.selectFrom('histories').selectAll().where('ended_at', 'is', null).execute();
}

export function listEnded(db: Db): Promise<Pick<HistoryRow, 'id'>[]> {
  return db.selectFrom('histories').select('id').where('ended_at', 'is not', null).execute();
}

export async function sizeOf(
  db: Db,
  historyId: string,
): Promise<{ chats: number; messages: number; bytes: number }> {
  const sums = await db
    .selectFrom('history_chats')
    .select(({ fn }) => [
      fn.countAll().as('chats'),
      fn.sum('messages').as('messages'),
      fn.sum('bytes').as('bytes'),
    ])
    .where('history_id', '=', historyId)
    .executeTakeFirst();
  return {
    chats: Number(sums?.chats ?? 0),
    messages: Number(sums?.messages ?? 0),
    bytes: Number(sums?.bytes ?? 0),
  };
}

/** Imports of the history from its phone, in their order. */
export function importsOf(db: Db, historyId: string): Promise<HistoryImportRow[]> {
  return db
    .selectFrom('history_imports')
    .selectAll()
    .where('history_id', '=', historyId)
    .orderBy('started_at')
    .execute();
}

/** A position in the order of messages. */
export interface Place {
  readonly at: number;
  readonly seq: number;
}

/** Chats with messages or flags, the one with the newest message first. */
export function chatsBefore(
  db: Db,
  historyId: string,
  before: { readonly at: number; readonly chat: string } | undefined,
  limit: number,
): Promise<HistoryChatRow[]> {
  let query = db.selectFrom('history_chats').selectAll().where('history_id', '=', historyId);
  if (before) query = query.where(sql<boolean>`(last_at, chat) < (${before.at}, ${before.chat})`);
  return query.orderBy('last_at', 'desc').orderBy('chat', 'desc').limit(limit).execute();
}

export function findChat(db: Db, historyId: string, chat: string): Promise<HistoryChatRow | undefined> {
  return db
    .selectFrom('history_chats')
    .selectAll()
    .where('history_id', '=', historyId)
    .where('chat', '=', chat)
    .executeTakeFirst();
}

/** The newest message of each of these chats. */
export async function newestOf(
  db: Db,
  historyId: string,
  chats: readonly string[],
): Promise<HistoryMessageRow[]> {
  if (chats.length === 0) return [];
  return db
    .selectFrom('history_chats')
    .innerJoin('history_messages', (join) =>
      join
        .onRef('history_messages.history_id', '=', 'history_chats.history_id')
        .onRef('history_messages.chat', '=', 'history_chats.chat')
        .onRef('history_messages.at', '=', 'history_chats.last_at')
        .onRef('history_messages.seq', '=', 'history_chats.last_seq'),
    )
    .selectAll('history_messages')
    .where('history_chats.history_id', '=', historyId)
    .where('history_chats.chat', 'in', chats)
    .execute();
}

export function messagesBefore(
  db: Db,
  historyId: string,
  { chat, cleared_at, cleared_seq }: Pick<HistoryChatRow, 'chat' | 'cleared_at' | 'cleared_seq'>,
  before: Place | undefined,
  limit: number,
): Promise<HistoryMessageRow[]> {
  let query = ofChat(db, historyId, chat).where(sql<boolean>`(at, seq) > (${cleared_at}, ${cleared_seq})`);
  if (before) query = query.where(sql<boolean>`(at, seq) < (${before.at}, ${before.seq})`);
  return query.orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit).execute();
}

export function messagesAfter(
  db: Db,
  historyId: string,
  chat: string,
  { at, seq }: Place,
  limit: number,
): Promise<HistoryMessageRow[]> {
  return ofChat(db, historyId, chat)
    .where(sql<boolean>`(at, seq) > (${at}, ${seq})`)
    .orderBy('at')
    .orderBy('seq')
    .limit(limit)
    .execute();
}

function ofChat(db: Db, historyId: string, chat: string) {
  return db
    .selectFrom('history_messages')
    .selectAll()
    .where('history_id', '=', historyId)
    .where('chat', '=', chat);
}

/** Finds a message by id. Senders choose ids: if two chats have the same one, the newer message counts. */
export function findMessage(
  db: Db,
  historyId: string,
  messageId: string,
): Promise<HistoryMessageRow | undefined> {
  return db
    .selectFrom('history_messages')
    .selectAll()
    .where('history_id', '=', historyId)
    .where('message_id', '=', messageId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Marks on these messages of one chat. */
export async function marksOf(
  db: Db,
  historyId: string,
  chat: string,
  targetIds: readonly string[],
  kinds: readonly HistoryMarkRow['kind'][],
): Promise<HistoryMarkRow[]> {
  if (targetIds.length === 0) return [];
  return db
    .selectFrom('history_marks')
    .selectAll()
    .where('history_id', '=', historyId)
    .where('chat', '=', chat)
    .where('target_id', 'in', targetIds)
    .where('kind', 'in', kinds)
    .orderBy('at')
    .execute();
}

export async function insertHistory(trx: Writer, row: HistoryRow): Promise<void> {
  await trx
    .insertInto('histories')
    .values(row)
    // Another request has just switched it on.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateHistory(
  trx: Writer,
  id: string,
  chosen: Pick<HistoryRow, 'days' | 'media'>,
): Promise<void> {
  await trx.updateTable('histories').set(chosen).where('id', '=', id).execute();
}

/** Ends the active history and returns its id; undefined when there was none. */
export async function endHistory(trx: Writer, slotId: string, now: number): Promise<string | undefined> {
  const ended = await trx
    .updateTable('histories')
    .set({ ended_at: now })
    .where('slot_id', '=', slotId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended?.id;
}

/** Settings of a chat by the owner of the number, on any device. */
export type ChatFlags = Partial<Pick<HistoryChatRow, 'unread' | 'archived' | 'pinned' | 'muted_until'>>;

export async function flagChat(
  trx: Writer,
  historyId: string,
  chat: string,
  flags: ChatFlags,
): Promise<void> {
  const row: HistoryChatRow = {
    history_id: historyId,
    chat,
    ...{ last_at: 0, last_seq: 0, oldest_at: 0, messages: 0, bytes: 0, unread: 0 },
    ...{ archived: 0, pinned: 0, muted_until: null, cleared_at: 0, cleared_seq: 0 },
    ...flags,
  };
  await trx
    .insertInto('history_chats')
    .values(row)
    .onConflict((conflict) => conflict.columns(['history_id', 'chat']).doUpdateSet(flags))
    .execute();
}

/** Chats with messages from before then, the oldest first; `after` is the last chat of the previous page. */
export function chatsSince(
  db: Db,
  historyId: string,
  { before, limit, after }: { before: number; limit: number; after?: ChatSince | undefined },
): Promise<ChatSince[]> {
  let chats = db
    .selectFrom('history_chats')
    .select(['history_id', 'chat', 'oldest_at'])
    .where('history_id', '=', historyId)
    .where('messages', '>', 0)
    .where('oldest_at', '<=', before);
  if (after) chats = chats.where(sql<boolean>`(oldest_at, chat) > (${after.oldest_at}, ${after.chat})`);
  return chats.orderBy('oldest_at').orderBy('chat').limit(limit).execute();
}

type ChatSince = Pick<HistoryChatRow, 'history_id' | 'chat' | 'oldest_at'>;

/** Cleared chats with messages that are still stored. */
export function clearedChats(db: Db, historyId: string) {
  return db
    .selectFrom('history_chats')
    .select(['history_id', 'chat', 'cleared_at', 'cleared_seq'])
    .where('history_id', '=', historyId)
    .where('messages', '>', 0)
    .whereRef('oldest_at', '<=', 'cleared_at')
    .execute();
}
