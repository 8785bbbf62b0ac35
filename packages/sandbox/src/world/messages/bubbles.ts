import { statusJid } from '../jids.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { Param } from '../persistence/database.ts';
import type { Bubble, PhoneNumber, Receipt } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { ChatRegister } from './chats.ts';
import type { CopyRow, MessageRow, MessageTable } from './message-table.ts';
import type { Messages } from './types.ts';

interface ReceiptRow {
  phone: string;
  delivered_at: number | null;
  read_at: number | null;
  played_at: number | null;
}

/** A message as one screen shows it. */
interface BubbleRow extends MessageRow, Omit<CopyRow, 'content'> {
  own_content: string | null;
  starred: number;
}

interface BubblesNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
  table: MessageTable;
}

const visible = `
  SELECT m.*, c.waiting, c.starred, c.content AS own_content, c.edited_text, c.edited_at, c.revoked_by, c.revoked_at
  FROM copies c JOIN messages m ON m.seq = c.seq
  WHERE c.phone = ? AND NOT c.hidden AND (m.bubble OR c.waiting) AND (m.expires_in = 0 OR m.at + m.expires_in * 1000 > ?)`;

/** A phone's screen. */
export function createBubbles({
  context,
  phones,
  chats,
  table,
}: BubblesNeeds): Pick<Messages, 'seenBy' | 'find'> {
  const { db, clock } = context;

  const receiptsOf = (viewer: PhoneNumber, row: MessageRow): Receipt[] =>
    db
      .all<ReceiptRow>('SELECT * FROM copies WHERE seq = ? AND phone <> ?', row.seq, row.sender)
      .filter((copy) => viewer === row.sender || viewer === copy.phone)
      .flatMap((copy) => {
        const person = phones.person(copy.phone);
        const steps = [
          ['delivered', copy.delivered_at],
          ['read', copy.read_at],
          ['played', copy.played_at],
        ] as const;
        return steps.flatMap(([type, at]) => (at === null ? [] : [{ person, type, at }]));
      });

  const toBubble = (viewer: PhoneNumber, row: BubbleRow): Bubble => ({
    ...table.view(viewer, row),
    content: row.waiting ? { type: 'waiting' } : JSON.parse(row.own_content ?? row.content),
    edited:
      row.edited_text === null || row.edited_at === null
        ? undefined
        : { text: row.edited_text, at: row.edited_at },
    revoked:
      row.revoked_by === null || row.revoked_at === null
        ? undefined
        : { by: phones.person(row.revoked_by), at: row.revoked_at },
    starred: row.starred === 1,
    receipts: receiptsOf(viewer, row),
    reactions: db
      .all<{ phone: string; emoji: string; at: number }>(
        'SELECT phone, emoji, at FROM reactions WHERE seq = ? AND viewer = ? ORDER BY at, phone',
        row.seq,
        viewer,
      )
      .map(({ phone, emoji, at }) => ({ person: phones.person(phone), emoji, at })),
    votes: db
      .all<{ phone: string; hashes: string; at: number }>(
        'SELECT phone, hashes, at FROM votes WHERE seq = ? AND viewer = ? ORDER BY at, phone',
        row.seq,
        viewer,
      )
      .map(({ phone, hashes, at }) => ({ person: phones.person(phone), hashes: JSON.parse(hashes), at })),
  });

  /** Filters the visible messages by chat; all stories are one chat to the reader by all authors. */
  const inChat = (phone: PhoneNumber, chat: string | undefined): { sql: string; params: Param[] } => {
    if (chat === undefined) return { sql: '', params: [] };
    if (chat === statusJid) return { sql: `AND m.chat GLOB 'status~*'`, params: [] };
    return { sql: 'AND m.chat = ?', params: [chats.keyOf(phone, chat)] };
  };

  return {
    seenBy(phone, { chat, limit = -1 } = {}) {
      phones.get(phone);
      const { sql, params } = inChat(phone, chat);
      return db
        .all<BubbleRow>(
          `${visible} ${sql} ORDER BY m.at DESC, m.seq DESC LIMIT ?`,
          phone,
          clock.now(),
          ...params,
          limit,
        )
        .reverse()
        .map((row) => toBubble(phone, row));
    },
    find(phone, id) {
      const row = db.get<BubbleRow>(
        `${visible} AND m.id = ? ORDER BY m.seq DESC LIMIT 1`,
        phone,
        clock.now(),
        id,
      );
      return row && toBubble(phone, row);
    },
  };
}
