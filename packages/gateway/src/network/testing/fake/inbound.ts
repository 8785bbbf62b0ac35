import {
  type BubbleMarks,
  type Chat,
  type ChatChange,
  type Content,
  isGroupJid,
  isMessageUpdate,
  lidJid,
  type MailboxItem,
  type MediaContent,
  type Message,
  type News,
  optionHash,
  type Person,
  type PhoneNumber,
  shownNumber,
  textOf,
  userJid,
} from '@parley/sandbox/world';
import { safeFileName, safeMediaType } from '#kernel';
import type { ContactCard, InboundContent, InboundMedia, Jid, Quote } from '../../content.ts';
import type {
  CallEvent,
  ChatEventChange,
  MessageEvent,
  MessageMarks,
  NetworkEvent,
  PollVoteEvent,
} from '../../events.ts';
import { phonesIn } from '../../vcard.ts';
import { toGroupChange, toGroupPerson } from './group-changes.ts';

export interface Listener {
  /** The receiving number. */
  readonly phone: PhoneNumber;
  /** Epoch milliseconds, for items without a time of their own. */
  readonly now: number;
  /** What its phone knows about others. */
  readonly knows: {
    person(phone: PhoneNumber): Person | undefined;
    /** The options of a poll that it has. */
    pollOptions(messageId: string): readonly string[] | undefined;
  };
  /** Its auto-reject has just ended the call of this item. */
  readonly rejected: boolean;
}

/** The event for an item; undefined for items that the port does not have. */
export function toNetworkEvent(item: MailboxItem, listener: Listener): NetworkEvent | undefined {
  const { news } = item;
  const now = seconds(listener.now);
  switch (news.kind) {
    case 'message':
      return toMessageEvent(news.message, listener.knows);
    case 'receipt': {
      if (news.reader.phone === listener.phone) return undefined;
      const { messageId, type } = news;
      const recipient = addressIn(news.chat, news.reader);
      const id = idOf('receipt', messageId, recipient, type);
      const receipt = {
        kind: 'receipt',
        id,
        timestamp: seconds(news.at),
        messageId,
        recipient,
        type,
      } as const;
      return news.chat.kind === 'group' ? { ...receipt, group: news.chat.jid } : receipt;
    }
    case 'devices':
      if (news.person.phone !== listener.phone || news.change !== 'add') return undefined;
      return {
        kind: 'device_linked',
        id: idOf('device_linked', String(news.device), String(news.at)),
        timestamp: seconds(news.at),
        devices: news.devices.length,
        added: [news.device],
      };
    case 'channel_message':
      if (news.fromMe) return undefined;
      return {
        kind: 'channel_message',
        id: idOf('channel_message', news.message.channel, news.message.serverId),
        timestamp: seconds(news.message.at),
        channel: news.message.channel,
        serverId: news.message.serverId,
        messageId: news.message.id,
        type: news.message.content.type,
        text: textOf(news.message.content),
      };
    case 'group': {
      const change = toGroupChange(news, listener.phone);
      if (!change) return undefined;
      const id = idOf('group', news.group, item.id);
      const by = present({ by: news.by && toGroupPerson(news.by) });
      return { kind: 'group', id, timestamp: seconds(news.at), group: news.group, ...by, change };
    }
    case 'picture': {
      if (isGroupJid(news.jid) || news.by.phone === listener.phone) return undefined;
      const contact = nameOf(news.by);
      const change = { type: 'picture', ...present({ pictureId: news.pictureId }) } as const;
      return { kind: 'contact', id: idOf('contact', item.id), timestamp: seconds(news.at), contact, change };
    }
    case 'profile':
      if (news.about === undefined || news.person.phone === listener.phone) return undefined;
      return {
        kind: 'contact',
        id: idOf('contact', item.id),
        timestamp: seconds(news.at),
        contact: nameOf(news.person),
        change: { type: 'about', about: news.about },
      };
    case 'own_read':
      return {
        kind: 'chat',
        id: idOf('chat', addressOf(news.chat), 'read', news.messageId),
        timestamp: seconds(news.at),
        chat: addressOf(news.chat),
        change: { type: 'read', on: true, upTo: seconds(news.at) },
      };
    case 'chat_state':
      return {
        kind: 'chat',
        id: idOf('chat', item.id),
        timestamp: seconds(news.at),
        chat: addressOf(news.chat),
        change: toChatChange(news.change, seconds(news.at)),
      };
    case 'typing':
      return {
        kind: 'typing',
        id: idOf('typing', item.id),
        timestamp: now,
        chat: addressOf(news.chat),
        sender: addressIn(news.chat, news.person),
        isGroup: news.chat.kind === 'group',
        typing: news.typing,
        media: news.media,
      };
    case 'presence':
      return {
        kind: 'presence',
        id: idOf('presence', item.id),
        timestamp: now,
        contact: nameOf(news.person),
        online: news.online,
        ...(news.lastSeenAt !== undefined && !news.online && { lastSeen: seconds(news.lastSeenAt) }),
      };
    case 'call':
      return toCallEvent(news, listener.rejected);
    default:
      return undefined;
  }
}

function toChatChange(change: ChatChange, upTo: number): ChatEventChange {
  switch (change.type) {
    case 'unread':
      return { type: 'read', on: !change.on, upTo };
    case 'archive':
      return { type: 'archived', on: change.on };
    case 'pin':
      return { type: 'pinned', on: change.on };
    case 'mute':
      return { type: 'muted', until: change.until };
    case 'delete':
      return { type: 'deleted', upTo };
    default:
      throw new Error(`no event for ${change.type}`);
  }
}

function toMessageEvent(
  message: Message,
  knows: Listener['knows'],
): MessageEvent | PollVoteEvent | undefined {
  const { content } = message;
  const chat = message.fromMe && message.list ? message.list.jid : addressOf(message.chat);
  const sender = addressIn(message.chat, message.sender);
  // The network carries every copy of a message as its own item; they are one event all the same.
  const id = idOf('message', chat, sender, message.id);
  const happening = { id, timestamp: seconds(message.at), chat };
  if (content.type === 'poll_vote') {
    if (message.fromMe) return undefined;
    const { target: pollMessageId, hashes: selectedHashes } = content;
    const known = knows.pollOptions(pollMessageId);
    const selectedOptions =
      known && selectedHashes.flatMap((hash) => known.find((option) => optionHash(option) === hash) ?? []);
    return {
      kind: 'poll_vote',
      ...happening,
      voter: sender,
      pollMessageId,
      selectedHashes,
      ...present({ selectedOptions }),
    };
  }
  return {
    kind: 'message',
    ...happening,
    messageId: message.id,
    sender,
    ...present({ fromMe: message.fromMe ? true : undefined }),
    ...present({
      senderPhone: shownNumber(message.sender),
      senderUsername: message.fromMe ? undefined : message.sender.username,
    }),
    senderLid: lidJid(message.sender.lid),
    senderName: message.sender.name,
    isGroup: message.chat.kind === 'group',
    broadcast: message.chat.kind === 'status',
    content: isForThePhone(content) ? VIEW_ONCE : toInboundContent(content),
    ...marksOf(message, knows),
  };
}

function marksOf({ chat, content, expiresInSeconds }: Message, knows: Listener['knows']): MessageMarks {
  const { forwarded, mentions = [] }: BubbleMarks = isMessageUpdate(content) ? {} : content;
  const named = mentions.flatMap((phone) => knows.person(phone) ?? []);
  const timer = content.type === 'disappearing' ? content.seconds : expiresInSeconds || undefined;
  return present({
    quote: quoteOf(content),
    mentions: named.length > 0 ? named.map((person) => addressIn(chat, person)) : undefined,
    forwarded: forwarded ? true : undefined,
    // The network gives no timer with an update of a message.
    ephemeralSeconds: isMessageUpdate(content) ? undefined : timer,
    viewOnce: isForThePhone(content) ? true : undefined,
  });
}

const VIEW_ONCE = { kind: 'other', text: '', unavailable: 'view_once' } as const;

/** Files to be viewed once, which the network sends to phones alone. */
function isForThePhone(content: Content): boolean {
  return 'viewOnce' in content && content.viewOnce === true;
}

function toInboundContent(content: Content): InboundContent {
  switch (content.type) {
    case 'text':
      return { kind: 'text', text: content.text };
    case 'image':
    case 'video':
    case 'document':
      return { kind: content.type, media: toInboundMedia(content), ...present({ caption: content.caption }) };
    case 'audio':
    case 'sticker':
      return { kind: content.type, media: toInboundMedia(content) };
    case 'location': {
      const { type: kind, latitude, longitude, name, address, live } = content;
      return { kind, latitude, longitude, ...present({ name, address }), ...(live && { live }) };
    }
    case 'reaction':
      return { kind: 'reaction', targetId: content.target, emoji: content.emoji };
    case 'poll': {
      const { type: kind, name, options, selectableCount } = content;
      return { kind, name, options, selectableCount };
    }
    case 'button_response': {
      const { type: kind, id: selectedId, text: selectedText, paramsJson } = content;
      return { kind, selectedId, selectedText, ...present({ paramsJson }) };
    }
    case 'contact':
      return { kind: 'other', text: content.displayName, contacts: cardsIn(content) };
    case 'edit':
      return { kind: 'other', text: content.text, editedId: content.target };
    case 'revoke':
      return { kind: 'other', text: '', revokedId: content.target };
    default:
      return { kind: 'other', text: textOf(content) };
  }
}

function cardsIn({ displayName, vcard }: Extract<Content, { type: 'contact' }>): ContactCard[] {
  const cards = vcard.split(/(?=^BEGIN:VCARD)/m).map((card) => card.trim());
  return cards.map((card) => ({
    name: cards.length === 1 ? displayName : (/^FN:(.*)$/m.exec(card)?.[1] ?? ''),
    phones: phonesIn(card),
    vcard: card,
  }));
}

function toInboundMedia(content: MediaContent): InboundMedia {
  return {
    ref: { kind: content.type, token: content.media.id },
    mimetype: safeMediaType(content.media.mimetype),
    size: content.media.size,
    ...(content.type === 'document' && { fileName: safeFileName(content.fileName) }),
  };
}

function toCallEvent(news: Extract<News, { kind: 'call' }>, rejected: boolean): CallEvent {
  return {
    kind: 'call',
    id: idOf('call', news.callId, news.event),
    timestamp: seconds(news.at),
    callId: news.callId,
    from: nameOf(news.from),
    event: news.event === 'offer' ? 'offer' : 'terminate',
    video: news.video,
    ...present({ reason: news.reason }),
    rejected,
  };
}

function quoteOf(content: Content): Quote | undefined {
  const { quote }: BubbleMarks = 'quote' in content ? content : {};
  if (!quote) return undefined;
  const participant = quote.sender === undefined ? undefined : userJid(quote.sender);
  return { messageId: quote.id, text: quote.text, ...present({ participant }) };
}

/** In groups people are addressed by the hidden address, everywhere else by the number. */
function addressIn(chat: Chat, person: Person): Jid {
  return chat.kind === 'group' ? lidJid(person.lid) : nameOf(person);
}

function addressOf(chat: Chat): Jid {
  return chat.kind === 'direct' ? nameOf(chat.person) : chat.jid;
}

/** By the number, where the network shows it. */
export function nameOf(person: Person): Jid {
  return shownNumber(person) ?? lidJid(person.lid);
}

const idOf = (...parts: (string | number)[]): string => parts.join('/');

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** Omits undefined fields: an absent field is absent, also when the event is compared or stored. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
