import { type BinaryNode, proto } from 'baileys';
import type { ChannelMessageEvent, MessageEvent, ReceiptEvent } from '../../events.ts';
import { boundedId, boundedSeconds } from './bounds.ts';
import type { MessageHead } from './head.ts';
import { readContent } from './inbound.ts';
import { accountOf, isChannel, isGroup, isLid, isMe, type Me, STATUS_BROADCAST } from './jid.ts';

/** The same happening has the same name, however often and in whatever bytes it comes. */
function idOf(...parts: (string | number)[]): string {
  return parts.join('/');
}

/** The name of the event that a message becomes; undefined when it becomes none. */
export function messageEventId(message: proto.IMessage, head: MessageHead): string | undefined {
  if (head.fromMe) return undefined;
  if (!message.pollUpdateMessage && !readContent(message, head)) return undefined;
  return idOf('message', head.chat, head.sender, head.messageId);
}

export function toMessageEvent(message: proto.IMessage, head: MessageHead): MessageEvent | undefined {
  const id = messageEventId(message, head);
  const read = readContent(message, head);
  if (id === undefined || !read) return undefined;
  const { messageId, chat, sender, senderPhone, senderName, broadcast, timestamp } = head;
  return {
    kind: 'message',
    id,
    timestamp,
    messageId,
    chat,
    sender,
    ...(senderPhone ? { senderPhone } : {}),
    senderName,
    isGroup: head.isGroup,
    broadcast,
    ...read,
  };
}

const RECEIPT_TYPES: ReadonlyMap<string | undefined, ReceiptEvent['type']> = new Map([
  [undefined, 'delivered'],
  ['inactive', 'delivered'],
  ['read', 'read'],
  ['played', 'played'],
]);

/**
 * Receipts, each for itself: the library merges delivered and read into the higher one and cannot tell played from read in groups.
 * `phoneOf` names an account by its number where that is known, for direct chats.
 */
export async function readReceipts(
  { attrs, content }: BinaryNode,
  me: Me,
  phoneOf: (lid: string) => Promise<string | undefined>,
): Promise<readonly ReceiptEvent[]> {
  const type = RECEIPT_TYPES.get(attrs.type);
  const reader = accountOf(attrs.participant ?? attrs.from);
  if (!type || !attrs.id || !reader || isMe(reader, me) || attrs.recipient) return [];
  const from = accountOf(attrs.from);
  const group = isGroup(from) ? from : undefined;
  const recipient = group === undefined && isLid(reader) ? ((await phoneOf(reader)) ?? reader) : reader;
  if (recipient === STATUS_BROADCAST) return [];
  return [attrs.id, ...listedIds(content)].map(boundedId).map((messageId) => ({
    kind: 'receipt',
    id: idOf('receipt', messageId, recipient, type),
    timestamp: boundedSeconds(attrs.t),
    messageId,
    recipient,
    ...(group !== undefined && { group }),
    type,
  }));
}

function listedIds(content: BinaryNode['content']): string[] {
  const [list] = Array.isArray(content) ? content : [];
  const items = list?.tag === 'list' && Array.isArray(list.content) ? list.content : [];
  return items.flatMap(({ attrs }) => (attrs.id ? [attrs.id] : []));
}

/** Messages of channels, which come as messages and as live updates; both carry the server's own number. */
export function readChannelMessages(node: BinaryNode): readonly ChannelMessageEvent[] {
  const channel = accountOf(node.attrs.from);
  if (!isChannel(channel)) return [];
  if (node.tag === 'message') return readChannelMessage(channel, node);
  const children = Array.isArray(node.content) ? node.content : [];
  return children
    .filter(({ tag }) => tag === 'message')
    .flatMap((child) => readChannelMessage(channel, child));
}

function readChannelMessage(channel: string, node: BinaryNode): readonly ChannelMessageEvent[] {
  const { attrs } = node;
  const serverId = Number(attrs.server_id ?? attrs.message_id);
  if (!Number.isSafeInteger(serverId) || serverId <= 0) return [];
  return [
    {
      kind: 'channel_message',
      id: idOf('channel_message', channel, serverId),
      timestamp: boundedSeconds(attrs.t),
      channel,
      serverId,
      messageId: boundedId(attrs.id ?? String(serverId)),
      ...readChannelContent(node),
    },
  ];
}

/** What a channel's message says; both parts are empty when the update carries ids only. */
function readChannelContent({ content }: BinaryNode): {
  readonly type: string;
  readonly text: string;
} {
  const nothing = { type: '', text: '' };
  const children = Array.isArray(content) ? content : [];
  const plaintext = children.find(({ tag }) => tag === 'plaintext')?.content;
  if (!(plaintext instanceof Uint8Array)) return nothing;
  const read = readContent(decoded(plaintext), NO_HEAD)?.content;
  if (!read) return nothing;
  if ('caption' in read) return { type: read.kind, text: read.caption ?? '' };
  if ('text' in read) return { type: read.kind, text: read.text };
  if (read.kind === 'poll') return { type: read.kind, text: read.name };
  return { type: read.kind, text: '' };
}

/** A channel has no sender whose head could matter to the content. */
const NO_HEAD = {
  messageId: '',
  remoteJid: '',
  chat: '',
  sender: '',
  senderName: '',
  isGroup: false,
  broadcast: false,
  fromMe: false,
  timestamp: 0,
};

function decoded(plaintext: Uint8Array): proto.IMessage {
  try {
    return proto.Message.decode(plaintext);
  } catch {
    return {};
  }
}
