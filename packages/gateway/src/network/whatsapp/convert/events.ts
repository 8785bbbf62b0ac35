import { type BinaryNode, proto } from 'baileys';
import { decoded } from '#kernel';
import type { Jid, UnavailableReason } from '../../content.ts';
import {
  type ChannelMessageEvent,
  type MessageEvent,
  type MessageMarks,
  type ReceiptEvent,
  receiptsOf,
} from '../../events.ts';
import { boundedId, boundedSeconds } from './bounds.ts';
import { type MessageHead, readHead, type StanzaAttrs } from './head.ts';
import { type ReadContent, readContent } from './inbound.ts';
import {
  accountOf,
  isChannel,
  isGroup,
  isLid,
  isOwnJid,
  type Me,
  phoneAmong,
  STATUS_BROADCAST,
} from './jid.ts';
import { sealedUpdateIn } from './sealed.ts';

/** Builds the id of an event from its identity, so that every copy gets the same id. */
function idOf(...parts: (string | number)[]): string {
  return parts.join('/');
}

/** Id of the event that a message becomes; undefined when it becomes none. */
export function messageEventId(message: proto.IMessage, head: MessageHead): string | undefined {
  if (head.isAmongOwn) return undefined;
  const update = sealedUpdateIn(message);
  // Own votes are no events.
  const isVisible = update
    ? update.kind !== 'vote' || !head.fromMe
    : readContent(message, head) !== undefined;
  return isVisible ? nameOf(head) : undefined;
}

export function toMessageEvent(message: proto.IMessage, head: MessageHead): MessageEvent | undefined {
  const id = messageEventId(message, head);
  const read = readContent(message, head);
  return id === undefined || !read ? undefined : toEvent(head, read);
}

export function toEvent(head: MessageHead, read: ReadContent): MessageEvent {
  return { ...headOf(head), ...read };
}

/** Fields of an event about its message, besides the content. */
function headOf(head: MessageHead): Omit<MessageEvent, 'content' | keyof MessageMarks> {
  const { messageId, chat, sender, senderPhone, senderLid, senderUsername, senderName } = head;
  const { broadcast, timestamp } = head;
  return {
    kind: 'message',
    id: nameOf(head),
    timestamp,
    messageId,
    chat,
    sender,
    ...(head.fromMe ? { fromMe: true } : {}),
    ...(senderPhone ? { senderPhone } : {}),
    ...(senderLid ? { senderLid } : {}),
    ...(senderUsername ? { senderUsername } : {}),
    senderName,
    isGroup: head.isGroup,
    broadcast,
  };
}

function nameOf({ chat, sender, messageId }: MessageHead): string {
  return idOf('message', chat, sender, messageId);
}

const RECEIPT_TYPES: ReadonlyMap<string | undefined, ReceiptEvent['type']> = new Map([
  [undefined, 'delivered'],
  ['inactive', 'delivered'],
  ['read', 'read'],
  ['played', 'played'],
]);

/** The one name of an account; `other` is its second address, where the network sends it. */
export type NameOf = (address: Jid, other?: Jid) => Promise<Jid>;

/** One person's receipt for one or several messages. */
interface Receipt {
  readonly reader: string;
  readonly messageIds: readonly string[];
  readonly t: string | undefined;
}

/**
 * Reads receipts one by one. The library merges delivered and read into the higher one, does not distinguish
 * played from read in groups, and ignores receipts that the network sends for many members at once.
 */
export async function readReceipts(
  node: BinaryNode,
  me: Me,
  nameOf: NameOf,
): Promise<readonly ReceiptEvent[]> {
  const { attrs } = node;
  const type = RECEIPT_TYPES.get(attrs.type);
  if (!type || attrs.recipient) return [];
  const from = accountOf(attrs.from);
  const group = isGroup(from) ? from : undefined;
  const events: ReceiptEvent[] = [];
  for (const { reader, messageIds, t } of receiptsIn(node)) {
    if (!reader || reader === STATUS_BROADCAST || isOwnJid(reader, me)) continue;
    const shown = isLid(reader) ? phoneAmong(attrs.sender_pn) : undefined;
    const recipient = group === undefined ? await nameOf(reader, shown) : reader;
    for (const messageId of messageIds.map(boundedId)) {
      events.push({
        kind: 'receipt',
        id: receiptsOf(messageId) + idOf(recipient, type),
        timestamp: boundedSeconds(t),
        messageId,
        recipient,
        ...(group !== undefined && { group }),
        type,
      });
    }
  }
  return events;
}

/** `<participants key><user jid t/>…</participants>` for many, else `participant` with the id and a `<list>` of more. */
function receiptsIn({ attrs, content }: BinaryNode): Receipt[] {
  const grouped = children(content, 'participants');
  if (grouped.length > 0) {
    return grouped.flatMap((message) =>
      children(message.content, 'user').map((user) => ({
        reader: accountOf(user.attrs.jid),
        messageIds: message.attrs.key ? [message.attrs.key] : [],
        t: user.attrs.t ?? attrs.t,
      })),
    );
  }
  if (!attrs.id) return [];
  const listed = children(children(content, 'list')[0]?.content, 'item').flatMap(
    (item) => item.attrs.id ?? [],
  );
  return [
    { reader: accountOf(attrs.participant ?? attrs.from), messageIds: [attrs.id, ...listed], t: attrs.t },
  ];
}

function children(content: BinaryNode['content'], tag: string): BinaryNode[] {
  return Array.isArray(content) ? content.filter((child) => child.tag === tag) : [];
}

/**
 * Messages that the network announces without their content: undefined for any other stanza. Some are for the phone
 * alone, which never sends them on; the others can be requested from it.
 */
export function placeholderIn({ attrs, content }: BinaryNode): UnavailableReason | 'requested' | undefined {
  if (attrs.category === 'peer' || isChannel(accountOf(attrs.from))) return undefined;
  if (['enc', 'plaintext'].some((tag) => children(content, tag).length > 0)) return undefined;
  const [unavailable] = children(content, 'unavailable');
  const { type = attrs.subtype ?? '', hosted } = unavailable?.attrs ?? {};
  if (type.startsWith('view_once')) return 'view_once';
  if (hosted === 'true' || hosted === '1' || type.startsWith('hosted')) return 'hosted';
  if (children(content, 'bot').length > 0 || type.startsWith('bot')) return 'bot';
  return 'requested';
}

/** The event of a message whose content never comes; undefined for what is in no chat. */
export function unavailableMessage(
  attrs: StanzaAttrs,
  me: Me,
  reason: UnavailableReason,
): MessageEvent | undefined {
  const head = readHead(attrs, me);
  if (!head || head.isAmongOwn) return undefined;
  const viewOnce = reason === 'view_once' ? ({ viewOnce: true } as const) : {};
  return { ...headOf(head), content: { kind: 'other', text: '', unavailable: reason }, ...viewOnce };
}

/** Channel messages, which arrive as messages and as live updates; both carry the server's id. */
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

/** Content of a channel message; both parts are empty when the update has only ids. */
function readChannelContent({ content }: BinaryNode): {
  readonly type: string;
  readonly text: string;
} {
  const nothing = { type: '', text: '' };
  const children = Array.isArray(content) ? content : [];
  const plaintext = children.find(({ tag }) => tag === 'plaintext')?.content;
  if (!(plaintext instanceof Uint8Array)) return nothing;
  const read = readContent(decoded(() => proto.Message.decode(plaintext)) ?? {}, NO_HEAD)?.content;
  if (!read) return nothing;
  if ('caption' in read) return { type: read.kind, text: read.caption ?? '' };
  if ('text' in read) return { type: read.kind, text: read.text };
  if (read.kind === 'poll') return { type: read.kind, text: read.name };
  return { type: read.kind, text: '' };
}

/** A channel message has no sender that its content depends on. */
const NO_HEAD = {
  messageId: '',
  remoteJid: '',
  chat: '',
  sender: '',
  senderName: '',
  isGroup: false,
  broadcast: false,
  fromMe: false,
  isAmongOwn: false,
  timestamp: 0,
};
