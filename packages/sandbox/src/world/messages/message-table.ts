import type { PhoneStore } from '../people/phones.ts';
import type { Actor, Message, PhoneNumber } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { ChatKey, ChatRegister } from './chats.ts';
import { type Content, isMessageUpdate } from './content.ts';

export interface MessageRow {
  seq: number;
  id: string;
  chat: ChatKey;
  sender: PhoneNumber;
  sender_device: number;
  at: number;
  /** Empty until a phone could decrypt it. */
  content: string;
  expires_in: number;
  secret: string | null;
}

/** A phone's own copy of a message: its content, and the changes made on that screen. */
export interface CopyRow {
  phone: PhoneNumber;
  seq: number;
  /** The phone shows that it waits for the message. */
  waiting: number;
  /** This phone's content, where it differs from that of the first reader. */
  content: string | null;
  edited_text: string | null;
  edited_at: number | null;
  revoked_by: string | null;
  revoked_at: number | null;
}

/** Every message once, and its copies by phone. */
export interface MessageTable {
  find(chat: ChatKey, id: string): MessageRow | undefined;
  /** The message of that id on this phone, including a placeholder; the newest, if several chats have one. */
  findFor(phone: PhoneNumber, id: string): MessageRow | undefined;
  /** The same, limited to what the phone's owner sees. */
  shownTo(phone: PhoneNumber, id: string): { row: MessageRow; content: Content } | undefined;
  add(message: NewMessage): MessageRow;
  /** Stores decrypted content: as the message's own for the first reader, else as this phone's where it differs. */
  read(phone: PhoneNumber, row: MessageRow, content: Content): void;
  /** Stores the secret of a message that a phone decrypted; that of the first reader stays. */
  learnSecret(row: MessageRow, secret: string): void;
  copyOf(phone: PhoneNumber, seq: number): CopyRow | undefined;
  /** The content of the phone's copy; undefined while it waits. */
  contentFor(phone: PhoneNumber, row: MessageRow): Content | undefined;
  copyTo(phone: PhoneNumber, seq: number, state: CopyState): void;
  removeCopy(phone: PhoneNumber, seq: number): void;
  holders(seq: number): PhoneNumber[];
  /** The message as one of its holders gets it. */
  view(viewer: PhoneNumber, row: MessageRow): Omit<Message, 'content'>;
}

interface CopyState {
  deliveredAt?: number;
  readAt?: number;
  waiting?: boolean;
}

interface NewMessage {
  id: string;
  chat: ChatKey;
  from: Actor;
  at: number;
  /** Left out while no phone could decrypt it. */
  content?: Content;
  expiresInSeconds: number;
  secret?: string | undefined;
}

interface TableNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
}

/** Content of a message that no phone could decrypt yet. */
const UNREAD = '';

export function createMessageTable({ context, phones, chats }: TableNeeds): MessageTable {
  const { db } = context;

  const copyOf = (phone: PhoneNumber, seq: number): CopyRow | undefined =>
    db.get<CopyRow>('SELECT * FROM copies WHERE phone = ? AND seq = ?', phone, seq);

  const contentFor = (phone: PhoneNumber, row: MessageRow): Content | undefined => {
    const copy = copyOf(phone, row.seq);
    const content = copy?.content ?? row.content;
    return copy && !copy.waiting && content ? JSON.parse(content) : undefined;
  };

  const findFor = (phone: PhoneNumber, id: string): MessageRow | undefined =>
    db.get<MessageRow>(
      `SELECT m.* FROM messages m JOIN copies c ON c.seq = m.seq AND c.phone = ?
       WHERE m.id = ? ORDER BY m.seq DESC LIMIT 1`,
      phone,
      id,
    );

  return {
    copyOf,
    contentFor,
    findFor,
    find: (chat, id) => db.get<MessageRow>('SELECT * FROM messages WHERE id = ? AND chat = ?', id, chat),
    shownTo(phone, id) {
      const row = findFor(phone, id);
      const content = row && contentFor(phone, row);
      return row && content && { row, content };
    },
    add({ id, chat, from, at, content, expiresInSeconds, secret }) {
      const json = content ? JSON.stringify(content) : UNREAD;
      const { lastId } = db.run(
        `INSERT INTO messages (id, chat, sender, sender_device, at, bubble, content, expires_in, secret)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        chat,
        from.phone,
        from.device,
        at,
        Number(content !== undefined && !isMessageUpdate(content)),
        json,
        expiresInSeconds,
        secret ?? null,
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
        secret: secret ?? null,
      };
    },
    read(phone, row, content) {
      const json = JSON.stringify(content);
      if (row.content === json) return;
      if (row.content) {
        db.run('UPDATE copies SET content = ? WHERE phone = ? AND seq = ?', json, phone, row.seq);
        return;
      }
      row.content = json;
      db.run(
        'UPDATE messages SET content = ?, bubble = ? WHERE seq = ?',
        json,
        Number(!isMessageUpdate(content)),
        row.seq,
      );
    },
    learnSecret(row, secret) {
      row.secret ??= secret;
      db.run('UPDATE messages SET secret = ? WHERE seq = ? AND secret IS NULL', secret, row.seq);
    },
    copyTo(phone, seq, { deliveredAt, readAt, waiting = false }) {
      db.run(
        `INSERT INTO copies (phone, seq, delivered_at, read_at, waiting) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET waiting = excluded.waiting,
           delivered_at = coalesce(delivered_at, excluded.delivered_at), read_at = coalesce(read_at, excluded.read_at)`,
        phone,
        seq,
        deliveredAt ?? null,
        readAt ?? null,
        Number(waiting),
      );
    },
    removeCopy(phone, seq) {
      db.run('DELETE FROM copies WHERE phone = ? AND seq = ?', phone, seq);
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
      expiresInSeconds: row.expires_in,
      secret: row.secret ?? undefined,
    }),
  };
}
