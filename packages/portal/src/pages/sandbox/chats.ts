import { phoneOf } from '@parley/contract';
import { chatTexts } from '../../texts/sandbox.ts';
import { formatPhone } from '../../ui/index.ts';
import { type Message, type PhoneDetail, type PhoneSummary, STATUS_JID } from './network.ts';

type ChatKind = 'person' | 'group' | 'channel' | 'stories';

export interface Chat {
  readonly jid: string;
  readonly name: string;
  readonly kind: ChatKind;
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** Incoming messages without a read receipt. */
  readonly unread: readonly Message[];
  readonly mayWrite: boolean;
}

/** Names of people as one phone knows them. */
export interface Names {
  /** Canonical one of a person's two addresses. */
  readonly addressOf: (jid: string) => string;
  readonly nameOf: (jid: string) => string;
}

export function createNames(detail: PhoneDetail, phones: readonly PhoneSummary[]): Names {
  const byLid = new Map(phones.map(({ lid, jid }) => [lid, jid]));
  const known = new Map([
    ...phones.map(({ jid, name }) => [jid, name] as const),
    ...detail.contacts.map(({ jid, full_name }) => [jid, full_name] as const),
    ...[...detail.groups, ...detail.channels].map(({ jid, name }) => [jid, name] as const),
    [STATUS_JID, chatTexts.stories],
    [detail.jid, chatTexts.you],
  ]);
  const addressOf = (jid: string): string => byLid.get(jid) ?? jid;
  return {
    addressOf,
    nameOf(jid) {
      const address = addressOf(jid);
      return known.get(address) ?? formatPhone(phoneOf(address) ?? address);
    },
  };
}

/** All chats of a phone: those with messages first, newest on top, then its other contacts. */
export function chatsOf(detail: PhoneDetail, messages: readonly Message[], names: Names): Chat[] {
  const byChat = Map.groupBy(messages, ({ chat_jid }) => names.addressOf(chat_jid));
  const known = [...detail.contacts, ...detail.groups, ...detail.channels].map(({ jid }) => jid);
  const jids = new Set([...byChat.keys(), ...known, STATUS_JID]);
  jids.delete(detail.jid);
  return [...jids]
    .map((jid) => chatOf(jid, byChat.get(jid) ?? [], detail, names))
    .sort((one, other) => lastAt(other) - lastAt(one) || one.name.localeCompare(other.name));
}

export function chatOf(jid: string, messages: readonly Message[], detail: PhoneDetail, names: Names): Chat {
  const kind = kindOf(jid);
  return {
    jid,
    name: names.nameOf(jid),
    kind,
    messages,
    unread: kind === 'channel' ? [] : messages.filter(isUnread),
    mayWrite: kind !== 'channel' || detail.channels.some((each) => each.jid === jid && each.role === 'owner'),
  };
}

function kindOf(jid: string): ChatKind {
  if (jid === STATUS_JID) return 'stories';
  if (jid.endsWith('@newsletter')) return 'channel';
  return jid.endsWith('@g.us') ? 'group' : 'person';
}

/** Type of messages that the phone could not decrypt yet. */
export const WAITING = 'waiting';

/** Incoming messages carry only the own receipts. */
function isUnread({ from_me, receipts, type }: Message): boolean {
  return !from_me && type !== WAITING && !receipts.some(({ type }) => type !== 'delivered');
}

const lastAt = ({ messages }: Chat): number => messages.at(-1)?.timestamp_unix ?? 0;

export type Progress = 'sent' | 'delivered' | 'read';

/** Progress of an own message. In a group it is read once all members have read it. */
export function progressOf({ receipts }: Pick<Message, 'receipts'>): Progress {
  if (receipts.length === 0) return 'sent';
  const readers = new Set(receipts.filter(({ type }) => type !== 'delivered').map(({ jid }) => jid));
  return receipts.every(({ jid }) => readers.has(jid)) ? 'read' : 'delivered';
}

const FILES: Readonly<Record<string, string>> = {
  image: chatTexts.image,
  video: chatTexts.video,
  audio: chatTexts.audio,
  document: chatTexts.document,
  sticker: chatTexts.sticker,
  location: chatTexts.location,
};

/** Summary of a message in one line. */
export function previewOf(message: Message): string {
  if (message.revoked) return chatTexts.deleted;
  if (message.type === WAITING) return chatTexts.waiting;
  const { type, media, contact, poll, interactive, group_invite, disappearing_seconds, text } = message;
  if (disappearing_seconds !== undefined) return chatTexts.disappearing(disappearing_seconds);
  return (
    text ||
    poll?.name ||
    interactive?.body ||
    media?.filename ||
    contact?.display_name ||
    group_invite?.name ||
    FILES[type] ||
    type
  );
}
