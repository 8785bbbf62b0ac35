import type { ChatKey, ChatRegister } from './chats.ts';
import { type Content, isAmending } from './content.ts';
import type { Ground } from './ground.ts';
import type { PhoneBook } from './phones.ts';
import type { Actor, Message, PhoneNumber } from './types.ts';

export interface MessageRow {
  seq: number;
  id: string;
  chat: ChatKey;
  sender: PhoneNumber;
  sender_device: number;
  at: number;
  content: string;
  expires_in: number;
  edited_text: string | null;
  edited_at: number | null;
  revoked_by: string | null;
  revoked_at: number | null;
}

/** Every message once, and who has a copy of it. */
export interface MessageTable {
  find(chat: ChatKey, id: string): MessageRow | undefined;
  /** The message of that id which this phone has; the newest, should several chats have one. */
  findFor(phone: PhoneNumber, id: string): MessageRow | undefined;
  add(message: NewMessage): MessageRow;
  copyTo(phone: PhoneNumber, seq: number, state: { deliveredAt?: number; readAt?: number }): void;
  holders(seq: number): PhoneNumber[];
  /** The message as one of its holders gets it. */
  view(viewer: PhoneNumber, row: MessageRow): Message;
}

interface NewMessage {
  id: string;
  chat: ChatKey;
  from: Actor;
  at: number;
  content: Content;
  expiresInSeconds: number;
}

interface TableNeeds {
  ground: Ground;
  phones: PhoneBook;
  chats: ChatRegister;
}

export function createMessageTable({ ground, phones, chats }: TableNeeds): MessageTable {
  const { db } = ground;
  return {
    find: (chat, id) => db.get<MessageRow>('SELECT * FROM messages WHERE id = ? AND chat = ?', id, chat),
    findFor: (phone, id) =>
      db.get<MessageRow>(
        `SELECT m.* FROM messages m JOIN copies c ON c.seq = m.seq AND c.phone = ?
         WHERE m.id = ? ORDER BY m.seq DESC LIMIT 1`,
        phone,
        id,
      ),
    add({ id, chat, from, at, content, expiresInSeconds }) {
      const json = JSON.stringify(content);
      const { lastId } = db.run(
        `INSERT INTO messages (id, chat, sender, sender_device, at, bubble, content, expires_in)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        chat,
        from.phone,
        from.device,
        at,
        Number(!isAmending(content)),
        json,
        expiresInSeconds,
      );
      return {
        seq: lastId,
        id,
        chat,
        sender: from.phone,
        sender_device: from.device,
        at,
        content: json,
        expires_in: expiresInSeconds,
        edited_text: null,
        edited_at: null,
        revoked_by: null,
        revoked_at: null,
      };
    },
    copyTo(phone, seq, { deliveredAt, readAt }) {
      db.run(
        'INSERT OR IGNORE INTO copies (phone, seq, delivered_at, read_at) VALUES (?, ?, ?, ?)',
        phone,
        seq,
        deliveredAt ?? null,
        readAt ?? null,
      );
    },
    holders: (seq) =>
      db.all<{ phone: string }>('SELECT phone FROM copies WHERE seq = ?', seq).map((copy) => copy.phone),
    view: (viewer, row) => ({
      id: row.id,
      chat: chats.view(viewer, row.chat),
      sender: phones.person(row.sender),
      senderDevice: row.sender_device,
      fromMe: viewer === row.sender,
      at: row.at,
      content: JSON.parse(row.content),
      expiresInSeconds: row.expires_in,
    }),
  };
}
