import type { Ground } from '../ground.ts';
import { directJid, isGroupJid, statusJid } from '../jids.ts';
import { type PhoneBook, personOf } from '../people/phones.ts';
import { type Chat, type PhoneNumber, WorldError } from '../types.ts';

/**
 * A chat has one key for everybody in it, while each member sees it under an own address: a direct chat is the other
 * person, a story is `status@broadcast` to everybody but belongs to its author.
 */
export type ChatKey = string;

const statusPrefix = 'status~';

export const statusKey = (author: PhoneNumber): ChatKey => `${statusPrefix}${author}`;

export const directKey = (a: PhoneNumber, b: PhoneNumber): ChatKey => (a < b ? `${a}~${b}` : `${b}~${a}`);

const isStatusKey = (key: ChatKey): boolean => key.startsWith(statusPrefix);

export const isDirectKey = (key: ChatKey): boolean => !isGroupJid(key) && !isStatusKey(key);

/** Whose two phones a direct chat connects, seen from one of them; one's own number in a chat with oneself. */
function otherIn(key: ChatKey, viewer: PhoneNumber): PhoneNumber {
  const [a = '', b = ''] = key.split('~');
  return a === viewer ? b : a;
}

/** The timers that the network offers, in seconds. */
const disappearingTimers = new Set([0, 86_400, 604_800, 7_776_000]);

export interface ChatRegister {
  view(viewer: PhoneNumber, key: ChatKey): Chat;
  /** The key that an address means to this person. Stories are filed by author, so their common address has none. */
  keyOf(viewer: PhoneNumber, address: string): ChatKey;
  disappearingSeconds(key: ChatKey): number;
  setDisappearing(key: ChatKey, seconds: number): void;
  /** Remembers that something was said there; true when it is the first time. */
  open(key: ChatKey): boolean;
  /** The other person in a direct chat. */
  partnerIn(key: ChatKey, viewer: PhoneNumber): PhoneNumber;
  wasOpened(key: ChatKey): boolean;
  /** With whom this person has written. */
  partnersOf(phone: PhoneNumber): PhoneNumber[];
}

interface ChatsNeeds {
  ground: Ground;
  phones: PhoneBook;
}

export function createChats({ ground, phones }: ChatsNeeds): ChatRegister {
  const { db } = ground;
  return {
    view(viewer, key) {
      if (isGroupJid(key)) return { kind: 'group', jid: key };
      if (isStatusKey(key)) return { kind: 'status', jid: statusJid };
      const person = phones.person(otherIn(key, viewer));
      return { kind: 'direct', jid: directJid(person), person };
    },
    keyOf(viewer, address) {
      if (isGroupJid(address)) return address;
      return directKey(viewer, personOf(phones.require(address)).phone);
    },
    disappearingSeconds: (key) =>
      db.get<{ n: number }>('SELECT disappearing_seconds AS n FROM chats WHERE chat = ?', key)?.n ?? 0,
    setDisappearing(key, seconds) {
      if (!disappearingTimers.has(seconds)) {
        throw new WorldError('bad_request', 'the disappearing timer is off, 24 hours, 7 days or 90 days');
      }
      db.run(
        `INSERT INTO chats (chat, disappearing_seconds) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET disappearing_seconds = excluded.disappearing_seconds`,
        key,
        seconds,
      );
    },
    open: (key) => db.run('INSERT OR IGNORE INTO chats (chat) VALUES (?)', key).changes > 0,
    partnerIn: otherIn,
    partnersOf: (phone) =>
      db
        .all<{ chat: ChatKey }>(
          'SELECT chat FROM chats WHERE chat GLOB ? OR chat GLOB ?',
          `${phone}~*`,
          `*~${phone}`,
        )
        .filter(({ chat }) => isDirectKey(chat))
        .map(({ chat }) => otherIn(chat, phone)),
    wasOpened: (key) => db.get('SELECT 1 FROM chats WHERE chat = ?', key) !== undefined,
  };
}
