import type { PgSession } from '#store';
import type { ChatEntry, ImportEntry, PastChatEntry } from '../entry.ts';
import { lastOfEach } from './batch.ts';
import { BATCHES, STATEMENTS } from './postgres-statements.ts';
import { chatChanges } from './sql.ts';

/** One at a time: an owner has two hands. */
export async function changeChat(
  client: PgSession,
  { historyId, chat, change, value }: ChatEntry,
): Promise<void> {
  await client.query({ name: `history.chat.${change}`, text: CHANGES[change] }, [historyId, chat, value]);
}

const CHANGES = chatChanges((place) => `$${place}`);

export async function keepPastChats(client: PgSession, given: readonly PastChatEntry[]): Promise<void> {
  if (given.length === 0) return;
  const chats = lastOfEach(given, ({ historyId, chat }) => `${historyId} ${chat}`);
  await client.query(STATEMENTS.flagPastChat, BATCHES.pastChats.arrays(chats));
}

export async function keepImports(client: PgSession, given: readonly ImportEntry[]): Promise<void> {
  if (given.length === 0) return;
  const imports = lastOfEach(given, ({ historyId, importId }) => `${historyId} ${importId}`);
  await client.query(STATEMENTS.noteImport, BATCHES.imports.arrays(imports));
}
