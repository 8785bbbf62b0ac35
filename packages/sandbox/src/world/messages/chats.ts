import { directJid, isGroupJid, statusJid } from '../jids.ts';
import { type PhoneStore, personOf } from '../people/phones.ts';
import { type Chat, type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';

/**
 * One key of a chat for all its members, while each addresses it differently: a direct chat by the other person, a story by
 * `status@broadcast`, although it belongs to its author.
 */
export type ChatKey = string;

const statusPrefix = 'status~';

export const statusKey = (author: PhoneNumber): ChatKey => `${statusPrefix}${author}`;

export const directKey = (a: PhoneNumber, b: PhoneNumber): ChatKey => (a < b ? `${a}~${b}` : `${b}~${a}`);

const isStatusKey = (key: ChatKey): boolean => key.startsWith(statusPrefix);

export const isDirectKey = (key: ChatKey): boolean => !isGroupJid(key) && !isStatusKey(key);

/** The other phone of a direct chat, seen from one of them; one's own number in a chat with oneself. */
function otherIn(key: ChatKey, viewer: PhoneNumber): PhoneNumber {
  const [a = '', b = ''] = key.split('~');
  return a === viewer ? b : a;
}

/** The timers that the network offers, in seconds. */
const disappearingTimers = new Set([0, 86_400, 604_800, 7_776_000]);

export interface ChatRegister {
  view(viewer: PhoneNumber, key: ChatKey): Chat;
  /** The key that an address has for this person. Stories are stored by author, so their common address has none. */
  keyOf(viewer: PhoneNumber, address: string): ChatKey;
  disappearingSeconds(key: ChatKey): number;
  setDisappearing(key: ChatKey, seconds: number): void;
  /** Records that the chat has a message; true for the first one. */
  open(key: ChatKey): boolean;
  /** The other person in a direct chat. */
  partnerIn(key: ChatKey, viewer: PhoneNumber): PhoneNumber;
  wasOpened(key: ChatKey): boolean;
  /** People with whom this person has a chat. */
  partnersOf(phone: PhoneNumber): PhoneNumber[];
}

interface ChatsNeeds {
  context: WorldContext;
  phones: PhoneStore;
}

export function createChats({ context, phones }: ChatsNeeds): ChatRegister {
  const { db } = context;
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
