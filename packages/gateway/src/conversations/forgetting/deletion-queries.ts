import { sql } from 'kysely';
import { erase, type HistoryChatRow, type Store, type Writer } from '#platform/store';
import type { Place } from '../conversation-queries.ts';

/** Small steps, so that none holds up the writes behind it for long. */
export const STEP = 500;

type Forgetful = Pick<Store, 'transaction' | 'dialect'>;

/** Deletes the oldest messages of a chat, up to a position and a limit; returns the number of rows. */
export function dropOldest(
  store: Forgetful,
  { history_id, chat }: Pick<HistoryChatRow, 'history_id' | 'chat'>,
  upTo: Place,
  count = STEP,
): Promise<number> {
  return erase(store, async (trx) => {
    const old = await trx
      .selectFrom('history_messages')
      .select(['message_id', 'at', 'seq', 'bytes'])
      .where('history_id', '=', history_id)
      .where('chat', '=', chat)
      .where(sql<boolean>`(at, seq) <= (${upTo.at}, ${upTo.seq})`)
      .orderBy('at')
      .orderBy('seq')
      .limit(count)
      .execute();
    const last = old.at(-1);
    if (!last) {
      await noteOldest(trx, history_id, chat);
      return 0;
    }
    await dropBelongings(
      trx,
      history_id,
      chat,
      old.map(({ message_id }) => message_id),
    );
    await trx
      .deleteFrom('history_messages')
      .where('history_id', '=', history_id)
      .where('chat', '=', chat)
      .where(sql<boolean>`(at, seq) <= (${last.at}, ${last.seq})`)
      .execute();
    await discount(trx, history_id, chat, old);
    await noteOldest(trx, history_id, chat);
    return old.length;
  });
}

/** Updates the age of the oldest message; with an outdated one every run would scan the chat. */
async function noteOldest(trx: Writer, historyId: string, chat: string): Promise<void> {
  const oldest = await trx
    .selectFrom('history_messages')
    .select('at')
    .where('history_id', '=', historyId)
    .where('chat', '=', chat)
    .orderBy('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await trx
    .updateTable('history_chats')
    .set({ oldest_at: oldest.at })
    .where('history_id', '=', historyId)
    .where('chat', '=', chat)
    .execute();
}

/** Deletes messages whose disappearing timer is over; returns their number. */
export function dropExpired(store: Forgetful, now: number): Promise<number> {
  return erase(store, async (trx) => {
    const over = await trx
      .selectFrom('history_messages')
      .select(['history_id', 'chat', 'message_id', 'from_me', 'bytes'])
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(STEP)
      .execute();
    for (const row of over) await dropOne(trx, row);
    return over.length;
  });
}

/** Deletes a message for the number only. */
export function dropMessage(
  store: Forgetful,
  key: { history_id: string; chat: string; message_id: string; from_me: number },
): Promise<void> {
  return erase(store, async (trx) => {
    const row = await trx
      .selectFrom('history_messages')
      .select('bytes')
      .where('history_id', '=', key.history_id)
      .where('message_id', '=', key.message_id)
      .where('chat', '=', key.chat)
      .where('from_me', '=', key.from_me)
      .executeTakeFirst();
    if (row) await dropOne(trx, { ...key, ...row });
  });
}

async function dropOne(
  trx: Writer,
  row: { history_id: string; chat: string; message_id: string; from_me: number; bytes: number },
): Promise<void> {
  const { history_id, chat, message_id, from_me } = row;
  await dropBelongings(trx, history_id, chat, [message_id]);
  await trx
    .deleteFrom('history_messages')
    .where('history_id', '=', history_id)
    .where('message_id', '=', message_id)
    .where('chat', '=', chat)
    .where('from_me', '=', from_me)
    .execute();
  await discount(trx, history_id, chat, [row]);
}

/**
 * Deletes the marks and releases the files of these messages: no message refers to them any more, and their bytes go
 * within a minute.
 */
async function dropBelongings(
  trx: Writer,
  historyId: string,
  chat: string,
  targetIds: readonly string[],
): Promise<void> {
  await trx
    .updateTable('media')
    .set({ expires_at: 0 })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('media_arrivals')
        .select('media_id')
        .where('history_id', '=', historyId)
        .where('chat', '=', chat)
        .where('message_id', 'in', targetIds),
    )
    .execute();
  await trx
    .deleteFrom('history_marks')
    .where('history_id', '=', historyId)
    .where('chat', '=', chat)
    .where('target_id', 'in', targetIds)
    .execute();
}

/** Deletes some marks older than that; returns their number. Their messages are as old, or never came. */
export async function dropOldMarks(
  store: Forgetful & Pick<Store, 'read'>,
  historyId: string,
  before: number,
): Promise<number> {
  // Selected outside the writer, because there is no index by age.
  const old = await store.read
    .selectFrom('history_marks')
    .select(['chat', 'target_id', 'kind', 'author'])
    .where('history_id', '=', historyId)
    .where('at', '<=', before)
    .limit(STEP)
    .execute();
  if (old.length === 0) return 0;
  const keys = old.map(
    ({ chat, target_id, kind, author }) => sql`(${chat}, ${target_id}, ${kind}, ${author})`,
  );
  await erase(store, (trx) =>
    trx
      .deleteFrom('history_marks')
      .where('history_id', '=', historyId)
      .where('at', '<=', before)
      .where(sql<boolean>`(chat, target_id, kind, author) IN (VALUES ${sql.join(keys)})`)
      .execute(),
  );
  return old.length;
}

/**
 * Subtracts deleted messages from the size. Traces of messages that never came have no bytes, and were not counted.
 */
async function discount(
  trx: Writer,
  historyId: string,
  chat: string,
  rows: readonly { readonly bytes: number }[],
): Promise<void> {
  const counted = rows.filter(({ bytes }) => bytes > 0);
  const bytes = counted.reduce((sum, row) => sum + row.bytes, 0);
  await trx
    .updateTable('history_chats')
    .set((e) => ({ messages: e('messages', '-', counted.length), bytes: e('bytes', '-', bytes) }))
    .where('history_id', '=', historyId)
    .where('chat', '=', chat)
    .execute();
}

/** Marks all messages of a chat until now as deleted; undefined when none is stored. */
export function clearChat(
  store: Forgetful,
  historyId: string,
  chat: string,
): Promise<HistoryChatRow | undefined> {
  return store.transaction(async (trx) => {
    await trx
      .updateTable('history_chats')
      .set((e) => ({ cleared_at: e.ref('last_at'), cleared_seq: e.ref('last_seq'), unread: 0 }))
      .where('history_id', '=', historyId)
      .where('chat', '=', chat)
      .execute();
    return trx
      .selectFrom('history_chats')
      .selectAll()
      .where('history_id', '=', historyId)
      .where('chat', '=', chat)
      .executeTakeFirst();
  });
}

/** Releases some files of a history; false when it has none. */
export async function dropSomeFiles(trx: Writer, historyId: string): Promise<boolean> {
  const kept = await trx
    .selectFrom('media_arrivals')
    .select('media_id')
    .where('history_id', '=', historyId)
    .limit(STEP)
    .execute();
  if (kept.length === 0) return false;
  const ids = kept.map(({ media_id }) => media_id);
  await trx.updateTable('media').set({ expires_at: 0 }).where('id', 'in', ids).execute();
  await trx
    .updateTable('media_arrivals')
    .set({ history_id: null, chat: null, message_id: null })
    .where('media_id', 'in', ids)
    .execute();
  return true;
}

/** Deletes a part of a history that was switched off; false when nothing is left. */
export function dropSomeOf(store: Forgetful, historyId: string): Promise<boolean> {
  return erase(store, async (trx) => {
    if (await dropSomeFiles(trx, historyId)) return true;
    const marks = await sql`
      DELETE FROM history_marks WHERE (history_id, chat, target_id, kind, author) IN (
        SELECT history_id, chat, target_id, kind, author FROM history_marks WHERE history_id = ${historyId} LIMIT ${STEP})`.execute(
      trx,
    );
    if (Number(marks.numAffectedRows ?? 0) > 0) return true;
    const messages = await sql`
      DELETE FROM history_messages WHERE (history_id, message_id, chat, from_me) IN (
        SELECT history_id, message_id, chat, from_me FROM history_messages WHERE history_id = ${historyId} LIMIT ${STEP})`.execute(
      trx,
    );
    if (Number(messages.numAffectedRows ?? 0) > 0) return true;
    const chats = await sql`
      DELETE FROM history_chats WHERE (history_id, chat) IN (
        SELECT history_id, chat FROM history_chats WHERE history_id = ${historyId} LIMIT ${STEP})`.execute(
      trx,
    );
    if (Number(chats.numAffectedRows ?? 0) > 0) return true;
    await trx.deleteFrom('history_imports').where('history_id', '=', historyId).execute();
    await trx.deleteFrom('histories').where('id', '=', historyId).execute();
    return false;
  });
}
