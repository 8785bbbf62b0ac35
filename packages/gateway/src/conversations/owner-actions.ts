import { apiError } from '#kernel';
import type { HistoryChatRow, Store } from '#platform/store';
import { type ChatFlags, findChat, findHistory, flagChat, isAnothers } from './conversation-queries.ts';
import type { HistoryEntry } from './entry.ts';
import { clearChat, dropMessage, dropOldest, STEP } from './forgetting/deletion-queries.ts';

/** Deletion steps before the answer leaves; the rest follows within a minute, and is not shown any more. */
const STEPS_AT_ONCE = 20;

interface Actions {
  readonly store: Store;
}

export async function forgetChat({ store }: Actions, slotId: string, chat: string): Promise<void> {
  const history = await findHistory(store.read, slotId);
  if (!history) throw apiError('history_off');
  await clear(store, history.id, chat);
}

async function clear(store: Store, historyId: string, chat: string): Promise<void> {
  const row = await clearChat(store, historyId, chat);
  if (row) await sweep(store, row);
}

/** Deletes the messages marked as deleted from the disk. */
async function sweep(store: Store, row: HistoryChatRow): Promise<void> {
  const upTo = { at: row.cleared_at, seq: row.cleared_seq };
  for (let step = 0; step < STEPS_AT_ONCE; step++) if ((await dropOldest(store, row, upTo)) < STEP) break;
  await store.foldLog();
}

/** Actions of a number's owner on its chats, applied to the history. */
export interface ChatBook {
  flag(slotId: string, chat: string, flags: ChatFlags): Promise<void>;
  /** The owner has deleted it on all devices. */
  deleteChat(slotId: string, chat: string): Promise<void>;
  deleteMessage(slotId: string, chat: string, messageId: string, fromMe: boolean): Promise<void>;
  /** Whether one of these deletes another person's message for everyone, as far as the message is stored. */
  reachesForAnothers(entries: readonly HistoryEntry[]): Promise<boolean>;
  /** Deletes messages of the chat from the disk that the phone has cleared. */
  sweep(slotId: string, chat: string): Promise<void>;
}

export function createChatBook({ store }: Actions): ChatBook {
  return {
    async flag(slotId, chat, flags) {
      await store.transaction(async (trx) => {
        const history = await findHistory(trx, slotId);
        if (history) await flagChat(trx, history.id, chat, flags);
      });
    },
    async deleteChat(slotId, chat) {
      const history = await findHistory(store.read, slotId);
      if (history) await clear(store, history.id, chat);
    },
    async deleteMessage(slotId, chat, messageId, fromMe) {
      const history = await findHistory(store.read, slotId);
      if (!history) return;
      const key = { history_id: history.id, chat, message_id: messageId, from_me: Number(fromMe) };
      await dropMessage(store, key);
      await store.foldLog();
    },
    async reachesForAnothers(entries) {
      for (const entry of entries)
        if (entry.type === 'revocation' && (await isAnothers(store.read, entry))) return true;
      return false;
    },
    async sweep(slotId, chat) {
      const history = await findHistory(store.read, slotId);
      const row = history && (await findChat(store.read, history.id, chat));
      if (row && row.cleared_at > 0) await sweep(store, row);
    },
  };
}
