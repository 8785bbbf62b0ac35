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
  /** What came in and was not read. */
  readonly unread: readonly Message[];
  readonly mayWrite: boolean;
}

/** Who is who on this network, as one phone knows it. */
export interface Names {
  /** People have two addresses; this is the one that they are listed by. */
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

/** Every chat of a phone: those with messages first, the newest on top, then whom it could write to. */
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

/** Of what the phone could not read yet, and its owner neither. */
export const WAITING = 'waiting';

/** One's own receipts are the only ones on what others wrote. */
function isUnread({ from_me, receipts, type }: Message): boolean {
  return !from_me && type !== WAITING && !receipts.some(({ type }) => type !== 'delivered');
}

const lastAt = ({ messages }: Chat): number => messages.at(-1)?.timestamp_unix ?? 0;

export type Progress = 'sent' | 'delivered' | 'read';

/** How far one's own message came. In a group it is only read once everybody has. */
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

/** A message in a line. */
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
