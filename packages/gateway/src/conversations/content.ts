import type { EventOf, KeptFile } from '@parley/contract';
import type { SealedBox } from '#kernel';
import type { HistoryMarkRow, HistoryMessageRow } from '#platform/store';

type Message = EventOf<'message'>;

/** The sealed part of a message: everything but the columns of its row. */
export type MessageContent = Omit<
  Message,
  'kind' | 'session_id' | 'message_id' | 'chat_jid' | 'from_me' | 'timestamp_unix' | 'is_group' | 'media'
> & { readonly media?: KeptFile };

export function contentOf(event: Message, withFiles: boolean): MessageContent {
  const { kind, session_id, message_id, chat_jid, from_me, timestamp_unix, is_group, media, ...content } =
    event;
  if (!media || !withFiles) return content;
  // A link expires: each reader gets a new one.
  const { data, status, url, ...file } = media;
  return { ...content, media: file };
}

/** The sealed part of an edit, with its author, because only the author may change a text. */
export interface EditContent {
  readonly text: string;
  readonly sender_jid: string;
}

export interface ReactionContent {
  readonly emoji: string;
}

type MessageKey = Pick<HistoryMessageRow, 'history_id' | 'message_id' | 'chat' | 'from_me'>;
type MarkKey = Pick<HistoryMarkRow, 'history_id' | 'chat' | 'target_id' | 'kind' | 'author'>;

export function sealMessage(
  box: Pick<SealedBox, 'seal'>,
  key: MessageKey,
  content: MessageContent,
): Uint8Array {
  return box.seal(Buffer.from(JSON.stringify(content)), contextOfMessage(key));
}

export function openMessage(
  box: Pick<SealedBox, 'open'>,
  key: MessageKey,
  sealed: Uint8Array,
): MessageContent {
  return parsed(box.open(sealed, contextOfMessage(key))) as MessageContent;
}

export function sealMark(
  box: Pick<SealedBox, 'seal'>,
  key: MarkKey,
  content: EditContent | ReactionContent,
): Uint8Array {
  return box.seal(Buffer.from(JSON.stringify(content)), contextOfMark(key));
}

export function openMark(
  box: Pick<SealedBox, 'open'>,
  key: MarkKey,
  sealed: Uint8Array,
): Partial<EditContent & ReactionContent> {
  return parsed(box.open(sealed, contextOfMark(key))) as Partial<EditContent & ReactionContent>;
}

function parsed(plain: Uint8Array): unknown {
  return JSON.parse(Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString());
}

function contextOfMessage({ history_id, message_id, chat, from_me }: MessageKey): string {
  return `history ${history_id} ${chat} ${from_me} ${message_id}`;
}

function contextOfMark({ history_id, chat, kind, author, target_id }: MarkKey): string {
  return `history ${kind} ${history_id} ${chat} ${author} ${target_id}`;
}
