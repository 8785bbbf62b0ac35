import { createHash } from 'node:crypto';
import { proto, toNumber } from 'baileys';
import type { MessageEvent } from '../../events.ts';
import type { PastChat, PastHistory, PastMessage, PastPart, PastReceipt, PastTaker } from '../../past.ts';
import {
  accountOf,
  attrsOfWebMessage,
  boundedId,
  boundedName,
  boundedSeconds,
  decodeWebMessage,
  isGroup,
  isPerson,
  type Me,
  readHead,
  toMessageEvent,
} from '../convert/index.ts';
import { named } from '../receive/event-reader.ts';
import { personAt } from '../receive/people.ts';
import { authorsOf, secretOf } from '../receive/sealed-updates.ts';
import type { SessionContext } from '../session-context.ts';
import { toChange, type Vault } from '../vault/index.ts';
import type { Collector, FieldVisitor } from './walk.ts';

const { HistorySyncType } = proto.Message;
const TYPES: ReadonlyMap<unknown, PastHistory['type']> = new Map([
  [HistorySyncType.INITIAL_BOOTSTRAP, 'initial'],
  [HistorySyncType.RECENT, 'recent'],
  [HistorySyncType.FULL, 'full'],
  [HistorySyncType.ON_DEMAND, 'on_demand'],
]);

/** Undefined when the history has no conversations. */
export function pastHistoryOf(
  { syncType, progress }: proto.Message.IHistorySyncNotification,
  linkId: string,
  messageId: string,
): PastHistory | undefined {
  const type = TYPES.get(syncType);
  if (!type) return undefined;
  const id = createHash('sha256').update(`${linkId} ${messageId}`).digest('base64url').slice(0, 22);
  const isKnown = typeof progress === 'number' && progress >= 0 && progress <= 100;
  return { id, type, ...(isKnown && { progress }) };
}

/** Approximate number of messages held at a time. */
const MOST_MESSAGES = 200;
const MOST_BYTES = 512 * 1024;

/** Collects messages and chats and passes them on in batches. */
export function createPastCollector(
  context: Pick<SessionContext, 'vault' | 'me'>,
  taker: PastTaker,
): Collector {
  let messages: Uint8Array[] = [];
  let conversations: Conversation[] = [];
  let bytes = 0;

  async function chatsOf(batch: readonly Conversation[]): Promise<PastChat[]> {
    const chats = await Promise.all(
      batch.filter(isReportable).map(async ({ id, lastAt, unread, archived, pinned, mutedUntil }) => {
        const chat = await personAt(context.vault(), id);
        return { chat, upTo: boundedSeconds(lastAt), unread, archived, pinned, mutedUntil };
      }),
    );
    return chats.filter(({ chat }) => isGroup(chat) || isPerson(chat));
  }

  return {
    visitor: visitConversations({
      message(encoded) {
        messages.push(encoded);
        bytes += encoded.length;
      },
      conversation: (conversation) => void conversations.push(conversation),
    }),
    isFull: () => messages.length + conversations.length >= MOST_MESSAGES || bytes >= MOST_BYTES,
    async flush() {
      const [encoded, batch] = [messages, conversations];
      [messages, conversations, bytes] = [[], [], 0];
      const me = context.me();
      const read: Pick<PastPart, 'messages' | 'receipts'>[] = [];
      for (const one of encoded) read.push(await readPastMessage(context.vault(), one, me));
      const part: PastPart = {
        messages: read.flatMap((each) => each.messages),
        receipts: read.flatMap((each) => each.receipts),
        chats: await chatsOf(batch),
      };
      const secrets = encoded.flatMap((one) => secretIn(one, me));
      if (secrets.length > 0) await context.vault().commit({ puts: secrets });
      if (part.messages.length > 0 || part.chats.length > 0) await taker.take(part);
    },
  };
}

/**
 * The history also lists people of the address book without a chat, and in later parts chats with nothing but
 * their messages.
 */
function isReportable({ hasMessages, lastAt, ...owned }: Conversation): boolean {
  const { unread, archived, pinned, mutedUntil } = owned;
  return (hasMessages && lastAt > 0) || unread > 0 || archived || pinned || mutedUntil !== null;
}

/** Without it, what people change of the message from now on could not be read. */
function secretIn(bytes: Uint8Array, me: Me) {
  const info = decodeWebMessage(bytes);
  const content = info?.message?.deviceSentMessage?.message ?? info?.message;
  const attrs = info && attrsOfWebMessage(info, me);
  const head = attrs && readHead(attrs, me);
  if (!head || !content) return [];
  const messageContextInfo = info.message?.messageContextInfo ?? { messageSecret: info.messageSecret };
  return (
    toChange(secretOf({ messageContextInfo, ...content }, head.messageId, authorsOf(head, attrs, me))).puts ??
    []
  );
}

/** Content of a message of a history; empty for protocol messages and invalid ones. */
async function readPastMessage(
  vault: Pick<Vault, 'read' | 'commit'>,
  bytes: Uint8Array,
  me: Me,
): Promise<Pick<PastPart, 'messages' | 'receipts'>> {
  const nothing = { messages: [], receipts: [] };
  const info = decodeWebMessage(bytes);
  const content = info?.message?.deviceSentMessage?.message ?? info?.message;
  const head = info && content && readHead(attrsOfWebMessage(info, me), me);
  const read = head && content && toMessageEvent(content, head);
  if (!read) return nothing;
  const event = await named(vault, read);
  const reached = event.fromMe ? REACHED.get(info.status) : undefined;
  const message: PastMessage = { event, ...(reached && { reached }) };
  return {
    messages: [message, ...(await reactionsTo(vault, event, info, me))],
    receipts: event.fromMe ? await receiptsOf(vault, event, info) : [],
  };
}

const { Status } = proto.WebMessageInfo;
const REACHED: ReadonlyMap<unknown, PastReceipt['type']> = new Map([
  [Status.DELIVERY_ACK, 'delivered'],
  [Status.READ, 'read'],
  [Status.PLAYED, 'played'],
]);

/** The phone stores reactions with their message. */
async function reactionsTo(
  vault: Pick<Vault, 'read'>,
  to: MessageEvent,
  { reactions }: proto.IWebMessageInfo,
  me: Me,
): Promise<PastMessage[]> {
  const found: PastMessage[] = [];
  for (const { key, text, senderTimestampMs } of reactions ?? []) {
    if (!key?.id || !text) continue;
    const address = key.fromMe ? me.id : key.participant || (to.isGroup ? undefined : to.chat);
    const sender = to.isGroup ? accountOf(address) : await personAt(vault, address);
    if (!sender) continue;
    const id = boundedId(key.id);
    const at = boundedSeconds(toNumber(senderTimestampMs ?? 0) / 1_000);
    found.push({
      event: {
        kind: 'message',
        id: `message/${to.chat}/${sender}/${id}`,
        timestamp: at || to.timestamp,
        messageId: id,
        chat: to.chat,
        sender,
        ...(key.fromMe ? { fromMe: true } : {}),
        senderName: '',
        isGroup: to.isGroup,
        broadcast: to.broadcast,
        content: { kind: 'reaction', emoji: boundedName(text), targetId: to.messageId },
      },
    });
  }
  return found;
}

async function receiptsOf(
  vault: Pick<Vault, 'read'>,
  { messageId, isGroup }: MessageEvent,
  { userReceipt }: proto.IWebMessageInfo,
): Promise<PastReceipt[]> {
  const found: PastReceipt[] = [];
  for (const { userJid, receiptTimestamp, readTimestamp, playedTimestamp } of userReceipt ?? []) {
    const recipient = isGroup ? accountOf(userJid) : await personAt(vault, userJid ?? undefined);
    if (!recipient) continue;
    const steps = [
      ['delivered', receiptTimestamp],
      ['read', readTimestamp],
      ['played', playedTimestamp],
    ] as const;
    for (const [type, at] of steps) {
      const timestamp = boundedSeconds(toNumber(at ?? 0));
      if (timestamp > 0) found.push({ messageId, recipient, type, timestamp });
    }
  }
  return found;
}

/** Receives the conversations of a phone's history in the phone's own form. */
interface ConversationSink {
  /** An encoded `WebMessageInfo`. */
  message(bytes: Uint8Array): void;
  /** Called after the messages of the conversation. */
  conversation(conversation: Conversation): void;
}

interface Conversation {
  /** Address that the phone uses. */
  readonly id: string;
  readonly hasMessages: boolean;
  /** Epoch seconds of the last activity; 0 when absent. */
  readonly lastAt: number;
  readonly unread: number;
  readonly archived: boolean;
  readonly pinned: boolean;
  /** Epoch ms; -1 for ever, null when it is not muted. */
  readonly mutedUntil: number | null;
}

/** Reads a `HistorySync`, of which only the conversations are visited. */
function visitConversations(sink: ConversationSink): FieldVisitor {
  const CONVERSATIONS = 2;
  return { enter: (field) => (field === CONVERSATIONS ? visitConversation(sink) : undefined) };
}

const [ID, MESSAGES] = [1, 2];
const [LAST_MESSAGE_AT, UNREAD, TOUCHED_AT, ARCHIVED, MARKED_UNREAD, PINNED_AT, MUTE_END] = [
  5, 6, 12, 16, 19, 24, 25,
];
/** Field of `HistorySyncMsg`. */
const MESSAGE = 1;

function visitConversation(sink: ConversationSink): FieldVisitor {
  const numbers = new Map<number, number>();
  let id = '';
  let hasMessages = false;
  const numberOf = (field: number): number => numbers.get(field) ?? 0;
  const messages: FieldVisitor = {
    enter: (field) => (field === MESSAGE ? 'message' : undefined),
    bytes: (_field, bytes) => sink.message(bytes),
  };
  return {
    enter(field) {
      if (field === MESSAGES) {
        hasMessages = true;
        return messages;
      }
      return field === ID ? 'bytes' : undefined;
    },
    bytes(_field, bytes) {
      id = Buffer.from(bytes).toString();
    },
    number: (field, value) => void numbers.set(field, value),
    leave: () =>
      sink.conversation({
        id,
        hasMessages,
        lastAt: Math.max(numberOf(LAST_MESSAGE_AT), numberOf(TOUCHED_AT)),
        unread: Math.max(numberOf(UNREAD), numberOf(MARKED_UNREAD)),
        archived: numberOf(ARCHIVED) === 1,
        pinned: numberOf(PINNED_AT) > 0,
        mutedUntil: muteEnd(numberOf(MUTE_END)),
      }),
  };
}

/** Later ends count as for ever. The second bound separates seconds from milliseconds. */
const [FOR_EVER_MS, LAST_SECOND] = [253_402_300_799_000, 253_402_300_799];

/** Phones send seconds, some of them milliseconds. */
function muteEnd(stored: number): number | null {
  if (stored === 0) return null;
  if (stored > FOR_EVER_MS) return -1;
  return stored > LAST_SECOND ? stored : stored * 1_000;
}
