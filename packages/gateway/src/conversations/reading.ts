import {
  CHATS_PAGE_DEFAULT,
  type Chat,
  type ChatPage,
  isGroup,
  type KeptMessage,
  type KeptMessageDetail,
  type KeptMessagePage,
  MESSAGES_PAGE_DEFAULT,
  SEARCHED_PER_REQUEST,
} from '@parley/contract';
import type { DataKeys } from '#accounts';
import { apiError } from '#kernel';
import type { HistoryChatRow, HistoryMarkRow, HistoryMessageRow, HistoryRow, Store } from '#platform/store';
import {
  chatsBefore,
  findChat,
  findHistory,
  findMessage,
  marksOf,
  messagesAfter,
  messagesBefore,
  newestOf,
  type Place,
} from './conversation-queries.ts';
import { type Box, detailOf, viewOfMessage } from './view.ts';

export interface ReadingContext {
  readonly store: Pick<Store, 'read'>;
  readonly keys: DataKeys;
  readonly links: FileLinks;
  /** Origin under which the reader reached the gateway. */
  readonly origin?: string;
  /** Aborts when the reader has gone. */
  readonly signal?: AbortSignal;
}

/** The part of the media room that reading needs. */
export interface FileLinks {
  /** A link to a file for readers at this origin. */
  urlOf(accountId: string, mediaId: string, origin?: string): Promise<string | undefined>;
}

interface OpenedHistory {
  readonly id: string;
  readonly accountId: string;
  readonly box: Box;
}

async function open({ store, keys }: ReadingContext, slotId: string): Promise<OpenedHistory> {
  const row: HistoryRow | undefined = await findHistory(store.read, slotId);
  if (!row) throw apiError('history_off');
  const { id, account_id: accountId } = row;
  return { id, accountId, box: await keys.boxOf(accountId) };
}

export async function readChats(
  context: ReadingContext,
  slotId: string,
  { cursor, limit = CHATS_PAGE_DEFAULT }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<ChatPage> {
  const { read } = context.store;
  const history = await open(context, slotId);
  const { id } = history;
  const rows = await chatsBefore(
    read,
    id,
    cursor === undefined ? undefined : parseChatCursor(cursor),
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const newest = await newestOf(
    read,
    id,
    page.map(({ chat }) => chat),
  );
  const byChat = new Map(newest.map((message) => [message.chat, message]));
  const last = rows.length > limit ? page.at(-1) : undefined;
  const chats = await Promise.all(
    page.map(async (row) => {
      const message = byChat.get(row.chat);
      const shown = message && !isCleared(row, message) ? message : undefined;
      return viewOfChat(row, shown && (await withMarks(context, history, row.chat, [shown]))[0]);
    }),
  );
  return { chats, next_cursor: last ? `${last.last_at.toString(36)}-${last.chat}` : null };
}

function viewOfChat(row: HistoryChatRow, last: KeptMessage | undefined): Chat {
  const { muted_until: until } = row;
  return {
    jid: row.chat,
    is_group: isGroup(row.chat),
    messages: row.messages,
    unread: row.unread,
    archived: row.archived === 1,
    pinned: row.pinned === 1,
    muted: until !== null,
    ...(until !== null && until > 0 && { muted_until_unix: Math.floor(until / 1_000) }),
    ...(row.last_at > 0 && { last_at_unix: Math.floor(row.last_at / 1_000) }),
    ...(last && { last_message: last }),
  };
}

export interface MessageQuery {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly q?: string | undefined;
  readonly limit?: number | undefined;
}

export async function readMessages(
  context: ReadingContext,
  slotId: string,
  chat: string,
  { before, after, q, limit = MESSAGES_PAGE_DEFAULT }: MessageQuery,
): Promise<KeptMessagePage> {
  if (after !== undefined && (before !== undefined || q !== undefined))
    throw apiError('invalid_field', { text: 'after cannot be combined with before or q' });
  const { read } = context.store;
  const history = await open(context, slotId);
  const { id } = history;
  const row = await findChat(read, id, chat);
  const start = before ?? after;
  const place = start === undefined ? undefined : parsePlace(start);
  if (!row) return { messages: [], next_cursor: null };
  if (q !== undefined) return search(context, history, row, q, place, limit);
  const rows =
    after === undefined || !place
      ? await messagesBefore(read, id, row, place, limit + 1)
      : await messagesAfter(read, id, chat, laterOf(place, row), limit + 1);
  const messages = await withMarks(context, history, chat, rows.slice(0, limit));
  return { messages, next_cursor: rows.length > limit ? (messages.at(-1)?.cursor ?? null) : null };
}

/** Texts opened between two queries. */
const SEARCHED_AT_ONCE = 200;

/** Opens texts from the newest on, until the page is full or the limit of scanned texts is reached. */
async function search(
  context: ReadingContext,
  history: OpenedHistory,
  chat: HistoryChatRow,
  q: string,
  start: Place | undefined,
  limit: number,
): Promise<KeptMessagePage> {
  const wanted = q.toLowerCase();
  const messages: KeptMessage[] = [];
  let before = start;
  for (
    let looked = 0;
    looked < SEARCHED_PER_REQUEST && !context.signal?.aborted;
    looked += SEARCHED_AT_ONCE
  ) {
    const rows = await messagesBefore(context.store.read, history.id, chat, before, SEARCHED_AT_ONCE);
    for (const message of await withMarks(context, history, chat.chat, rows)) {
      if (!message.text.toLowerCase().includes(wanted)) continue;
      messages.push(message);
      if (messages.length === limit) return { messages, next_cursor: message.cursor };
    }
    before = rows.at(-1);
    if (rows.length < SEARCHED_AT_ONCE || !before) return { messages, next_cursor: null };
  }
  return { messages, next_cursor: before ? formatPlace(before) : null };
}

export async function readMessage(
  context: ReadingContext,
  slotId: string,
  messageId: string,
): Promise<KeptMessageDetail> {
  const { read } = context.store;
  const history = await open(context, slotId);
  const { id, box } = history;
  const row = await findMessage(read, id, messageId);
  const chat = row && (await findChat(read, id, row.chat));
  if (!row || (chat && isCleared(chat, row))) throw apiError('message_not_found');
  const kinds: HistoryMarkRow['kind'][] = ['delivered', 'read', 'played', 'reaction', 'edit'];
  const marks = await marksOf(read, id, row.chat, [messageId], kinds);
  return withLink(context, history, { cursor: formatPlace(row), ...detailOf(box, row, marks) });
}

async function withMarks(
  context: ReadingContext,
  history: OpenedHistory,
  chat: string,
  rows: readonly HistoryMessageRow[],
): Promise<KeptMessage[]> {
  const ids = rows.map(({ message_id }) => message_id);
  const marks = Map.groupBy(
    await marksOf(context.store.read, history.id, chat, ids, ['reaction', 'edit']),
    ({ target_id }) => target_id,
  );
  return Promise.all(
    rows.map((row) =>
      withLink(context, history, {
        cursor: formatPlace(row),
        ...viewOfMessage(history.box, row, marks.get(row.message_id) ?? []),
      }),
    ),
  );
}

/** Adds a link that opens the file for a while. */
async function withLink<M extends Pick<KeptMessage, 'media'>>(
  { links, origin }: ReadingContext,
  { accountId }: OpenedHistory,
  message: M,
): Promise<M> {
  const { media } = message;
  if (media?.id === undefined) return message;
  const url = await links.urlOf(accountId, media.id, origin);
  return url === undefined ? message : { ...message, media: { ...media, url } };
}

function isCleared(chat: HistoryChatRow, { at, seq }: Place): boolean {
  return at < chat.cleared_at || (at === chat.cleared_at && seq <= chat.cleared_seq);
}

function laterOf(place: Place, { cleared_at, cleared_seq }: HistoryChatRow): Place {
  const isLater = place.at > cleared_at || (place.at === cleared_at && place.seq > cleared_seq);
  return isLater ? place : { at: cleared_at, seq: cleared_seq };
}

/** A position as an opaque cursor. */
function formatPlace({ at, seq }: Place): string {
  return `${at.toString(36)}-${seq.toString(36)}`;
}

function parsePlace(cursor: string): Place {
  const [, at, seq] = /^([0-9a-z]{1,10})-([0-9a-z]{1,11})$/.exec(cursor) ?? [];
  if (at === undefined || seq === undefined) throw apiError('cursor_invalid');
  return { at: Number.parseInt(at, 36), seq: Number.parseInt(seq, 36) };
}

function parseChatCursor(cursor: string): { at: number; chat: string } {
  const [, at, chat] = /^([0-9a-z]{1,10})-(\S{1,100})$/.exec(cursor) ?? [];
  if (at === undefined || chat === undefined) throw apiError('cursor_invalid');
  return { at: Number.parseInt(at, 36), chat };
}
