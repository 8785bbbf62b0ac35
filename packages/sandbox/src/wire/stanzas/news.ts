import { proto, type WAPatchName } from 'baileys';
import type { ChannelMessage, Chat, LinkedDevice, MailboxItem, News, Person } from '../../world/index.ts';
import {
  goesByLid,
  isGroupJid,
  lidJid,
  networkJid,
  sessionIdOf,
  shownNumber,
  statusJid,
  userJid,
} from '../../world/index.ts';
import { type AddressBook, CONTACTS } from '../app-state/address-book.ts';
import type { ChatStatePublisher } from '../app-state/chat-states.ts';
import type { Collections } from '../app-state/collections.ts';
import { writeContent } from '../content/index.ts';
import type { Writer } from '../login/mailbox-delivery.ts';
import { type Addresses, retryAddresses, storyJid } from '../messages/addresses.ts';
import { participantHash } from '../messages/participant-hash.ts';
import type { MessageWriter } from '../messages/writer.ts';
import { registrationNode } from '../signal/bundles.ts';
import type { DeviceLists } from '../signal/device-lists.ts';
import type { Outbox } from '../signal/outbox.ts';
import type { PhoneKeyring } from '../signal/phone-keys.ts';
import { type Node, node, SERVER } from '../transport/nodes.ts';
import type { ContentContexts } from './content-contexts.ts';
import { groupNotification } from './group-notifications.ts';
import { capNotification, lockNotification } from './standing.ts';

type NewsOf<K extends News['kind']> = Extract<News, { kind: K }>;

/** Encodes each kind of news as a stanza. */
export function createNewsWriter({
  deviceLists,
  messages,
  contexts,
  collections,
  book,
  chatStates,
  keyring,
  outbox,
}: {
  deviceLists: DeviceLists;
  messages: MessageWriter;
  contexts: ContentContexts;
  collections: Collections;
  book: AddressBook;
  chatStates: ChatStatePublisher;
  keyring: PhoneKeyring;
  outbox: Outbox;
}): Writer {
  return async (item, device) => {
    const { news } = item;
    switch (news.kind) {
      case 'message':
        return messages.write(item, news.message, device);
      case 'forwarded':
        return outbox.read(item);
      case 'receipt':
        return receipt(news);
      case 'own_read':
        return ownRead(news);
      case 'retry':
        return retryRequest(news, keyring.of(news.reader.phone).registrationId);
      case 'group':
        return groupNotification(idOf(item), news);
      case 'channel_message':
        return channelMessage(news, writeInChannel(news.message, device));
      case 'chat_state':
        return serverSync(idOf(item), device, await chatStates.publish(device.phone, news));
      case 'contact':
        return contactsChanged(idOf(item), news, device);
      case 'picture':
        return picture(idOf(item), news);
      case 'blocklist':
        return blocklist(idOf(item), news);
      case 'devices':
        return devices(idOf(item), news, deviceLists);
      case 'identity':
        return identity(idOf(item), news);
      case 'number_changed':
        return numberChanged(idOf(item), news);
      case 'token':
        return token(idOf(item), news, device);
      case 'reachout_lock':
        return lockNotification(idOf(item), news.at, news.lock);
      case 'new_chat_cap':
        return capNotification(idOf(item), news.at, news.cap);
      case 'typing':
        return typing(idOf(item), news);
      case 'presence':
        return presence(idOf(item), news);
      case 'call':
        return call(idOf(item), news);
      case 'profile':
        return about(idOf(item), news);
    }
  };

  /** The change itself is in the app state; the stanza only asks the client to fetch it. */
  async function contactsChanged(id: string, news: NewsOf<'contact'>, device: LinkedDevice): Promise<Node> {
    await book.publish(device.phone, news.contact, news.removed);
    return serverSync(id, device, CONTACTS);
  }

  function serverSync(id: string, { phone }: LinkedDevice, name: WAPatchName): Node {
    const version = collections.version(phone, name);
    return node('notification', { id, from: SERVER, type: 'server_sync' }, [
      node('collection', { name, version }),
    ]);
  }

  function writeInChannel(message: ChannelMessage, device: LinkedDevice): proto.IMessage {
    return writeContent(message.content, contexts.forChannel(message, device));
  }
}

/** Notifications have an id of their own, the same for every repetition of an item. */
function idOf(item: MailboxItem): string {
  return `N${item.id}`;
}

/** The chat of an event, and its author where the chat does not imply one. */
function scene(chat: Chat, person: Person, turn: string): Addresses {
  switch (chat.kind) {
    case 'direct':
      return { from: networkJid(person, turn) };
    case 'group':
      return { from: chat.jid, participant: lidJid(person.lid), participant_pn: shownNumber(person) };
    case 'status':
      return { from: statusJid, participant: storyJid(person) };
  }
}

function receipt({ chat, messageId, reader, type, at }: NewsOf<'receipt'>): Node {
  return node('receipt', {
    id: messageId,
    ...scene(chat, reader, messageId),
    type: type === 'delivered' ? undefined : type,
    t: Math.floor(at / 1000),
  });
}

/** Another device of the owner read it: from the owner, with the chat beside it. */
function ownRead({ chat, messageId: id, reader, at }: NewsOf<'own_read'>): Node {
  const read = { id, type: 'read', t: Math.floor(at / 1000) };
  if (chat.kind !== 'direct') {
    return node('receipt', { ...read, from: chat.jid, participant: lidJid(reader.lid) });
  }
  const isByLid = goesByLid(chat.person, id);
  return node('receipt', {
    ...read,
    from: isByLid ? lidJid(reader.lid) : userJid(reader.phone),
    recipient: networkJid(chat.person, id),
  });
}

/** Requests an undecryptable message again; the own phone does so in its own name. */
function retryRequest(news: NewsOf<'retry'>, registrationId: number): Node {
  const { messageId: id, to, reader, own, count } = news;
  const asker = { phone: reader.phone, device: 0 };
  const t = Math.floor(news.at / 1000);
  return node(
    'receipt',
    { id, ...retryAddresses({ id, asker, person: reader, chat: to, isOwn: own }), type: 'retry', t },
    [node('retry', { count, id, t, v: 1 }), registrationNode(registrationId)],
  );
}

function channelMessage({ message }: NewsOf<'channel_message'>, content: proto.IMessage): Node {
  return node(
    'message',
    {
      id: message.id,
      from: message.channel,
      server_id: message.serverId,
      t: Math.floor(message.at / 1000),
      type: message.content.type === 'text' ? 'text' : 'media',
    },
    [node('plaintext', {}, proto.Message.encode(content).finish())],
  );
}

function picture(id: string, news: NewsOf<'picture'>): Node {
  const { by, pictureId, at } = news;
  const jid = isGroupJid(news.jid) ? news.jid : networkJid(by, id);
  const author = lidJid(by.lid);
  const change = pictureId ? node('set', { id: pictureId, author, jid }) : node('delete', { author, jid });
  return node('notification', { id, from: jid, type: 'picture', t: Math.floor(at / 1000) }, [change]);
}

/** Clients learn a push name from messages and by queries. */
function about(id: string, { person, about, at }: NewsOf<'profile'>): Node | undefined {
  if (about === undefined) return undefined;
  const outside = { id, from: networkJid(person, id), type: 'status', t: Math.floor(at / 1000) };
  return node('notification', outside, [node('set', {}, Buffer.from(about))]);
}

function blocklist(id: string, { person, blocked }: NewsOf<'blocklist'>): Node {
  const item = node('item', { jid: lidJid(person.lid), action: blocked ? 'block' : 'unblock' });
  return node('notification', { id, from: SERVER, type: 'account_sync' }, [node('blocklist', {}, [item])]);
}

/** A client updates the device list that it stores under the address of the sender. */
function devices(
  id: string,
  { person, change, device, devices, at }: NewsOf<'devices'>,
  lists: DeviceLists,
): Node {
  const byLid = goesByLid(person, id);
  const listed = [{ person, devices }];
  const lid = lidJid(`${person.lid}:${device}`);
  const changed = byLid ? { jid: lid } : { jid: sessionIdOf(person.phone, device), lid };
  const hashes = {
    device_hash: participantHash(listed, byLid ? 'lid' : 'pn'),
    ...(!byLid && { device_lid_hash: participantHash(listed, 'lid') }),
  };
  return node(
    'notification',
    {
      id,
      from: networkJid(person, id),
      ...(!byLid && { lid: lidJid(person.lid) }),
      type: 'devices',
      t: Math.floor(at / 1000),
    },
    [
      node(change, hashes, [
        node('device', { ...changed, 'key-index': device }),
        change === 'add' ? lists.signed(person.phone) : lists.changed(person.phone),
      ]),
    ],
  );
}

/** The keys of the phone are others; a client opens a new session with it. */
function identity(id: string, { person, at }: NewsOf<'identity'>): Node {
  const outside = { id, from: networkJid(person, id), type: 'encrypt', t: Math.floor(at / 1000) };
  return node('notification', outside, [node('identity')]);
}

function numberChanged(id: string, { old, fresh, at }: NewsOf<'number_changed'>): Node {
  const change = {
    old: userJid(old.phone),
    new: userJid(fresh.phone),
    old_lid: lidJid(old.lid),
    new_lid: lidJid(fresh.lid),
  };
  const outside = { id, from: userJid(old.phone), type: 'contacts', t: Math.floor(at / 1000) };
  return node('notification', outside, [node('modify', change)]);
}

function token(id: string, news: NewsOf<'token'>, device: LinkedDevice): Node {
  const { person, at } = news;
  const t = Math.floor(at / 1000);
  const from = networkJid(person, id);
  const given = node(
    'token',
    { jid: device.sessionId, t, type: 'trusted_contact' },
    Buffer.from(news.token, 'base64'),
  );
  return node('notification', { id, from, sender_lid: lidJid(person.lid), type: 'privacy_token', t }, [
    node('tokens', {}, [given]),
  ]);
}

function typing(id: string, { chat, person, typing, media }: NewsOf<'typing'>): Node {
  const { from, participant } = scene(chat, person, id);
  const state = typing
    ? node('composing', { media: media === 'audio' ? 'audio' : undefined })
    : node('paused');
  return node('chatstate', { from, participant }, [state]);
}

function presence(id: string, { person, online, lastSeenAt, isHidden }: NewsOf<'presence'>): Node {
  const last = online || lastSeenAt === undefined ? undefined : Math.floor(lastSeenAt / 1000);
  return node('presence', {
    from: networkJid(person, id),
    type: online ? undefined : 'unavailable',
    last: isHidden ? 'deny' : last,
  });
}

function call(id: string, { callId, event, from, video, reason, at }: NewsOf<'call'>): Node {
  const jid = networkJid(from, callId);
  const signal = node(
    event,
    { 'call-id': callId, 'call-creator': jid, caller_pn: shownNumber(from), reason },
    event === 'offer' ? [node('audio'), ...(video ? [node('video')] : [])] : undefined,
  );
  return node('call', { id, from: jid, t: Math.floor(at / 1000) }, [signal]);
}
