import type { PostOffice } from '../devices/mailbox.ts';
import type { Ground } from '../ground.ts';
import type { Actor, PhoneNumber } from '../types.ts';
import { WorldError } from '../types.ts';
import type { ChatKey, ChatRegister } from './chats.ts';
import type { MessageTable } from './message-table.ts';
import type { ChatChange, ChatState, ChatStates } from './types.ts';

interface StateRow {
  chat: ChatKey;
  archived: number;
  pinned: number;
  muted_until: number | null;
  unread: number;
  deleted_at: number | null;
}

interface ChatStatesNeeds {
  ground: Ground;
  chats: ChatRegister;
  table: Pick<MessageTable, 'findFor'>;
  post: Pick<PostOffice, 'tell'>;
}

/** What a phone's owner did with chats and messages for themselves alone. */
export function createChatStates({ ground, chats, table, post }: ChatStatesNeeds): ChatStates {
  const { db, clock, chance } = ground;

  const COLUMNS = { archive: 'archived', pin: 'pinned', unread: 'unread' } as const;

  const set = (phone: PhoneNumber, chat: ChatKey, column: string, value: number | null): void => {
    db.run(
      `INSERT INTO chat_states (phone, chat, ${column}) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`,
      phone,
      chat,
      value,
    );
  };

  const mark = (
    phone: PhoneNumber,
    messageId: string,
    column: 'starred' | 'hidden',
    value: boolean,
  ): void => {
    const row = table.findFor(phone, messageId);
    if (!row) throw new WorldError('not_found', `there is no message ${messageId}`);
    db.run(`UPDATE copies SET ${column} = ? WHERE phone = ? AND seq = ?`, Number(value), phone, row.seq);
  };

  /** What is done with single messages, other devices are not told. */
  const tell = (actor: Actor, chat: ChatKey, order: ChatChange): void => {
    if (order.type === 'star' || order.type === 'delete_message') return;
    const { phone, device: by } = actor;
    const news = { id: chance.hex(8), by, chat: chats.view(phone, chat), change: order, at: clock.now() };
    post.tell(phone, { kind: 'chat_state', ...news }, actor);
  };

  const change = (actor: Actor, address: string, order: ChatChange): void => {
    const { phone } = actor;
    const chat = chats.keyOf(phone, address);
    switch (order.type) {
      case 'archive':
      case 'pin':
      case 'unread':
        set(phone, chat, COLUMNS[order.type], Number(order.on));
        break;
      case 'mute':
        set(phone, chat, 'muted_until', order.until);
        break;
      case 'delete':
        set(phone, chat, 'deleted_at', clock.now());
        db.run(
          'UPDATE copies SET hidden = 1 WHERE phone = ? AND seq IN (SELECT seq FROM messages WHERE chat = ?)',
          phone,
          chat,
        );
        break;
      case 'star':
        mark(phone, order.messageId, 'starred', order.on);
        break;
      case 'delete_message':
        mark(phone, order.messageId, 'hidden', true);
    }
    tell(actor, chat, order);
  };

  const toState = (phone: PhoneNumber, row: StateRow): ChatState => ({
    chat: chats.view(phone, row.chat),
    archived: row.archived === 1,
    pinned: row.pinned === 1,
    mutedUntil: row.muted_until ?? undefined,
    unread: row.unread === 1,
    deletedAt: row.deleted_at ?? undefined,
  });

  return {
    change: (actor, address, order) => ground.act(() => change(actor, address, order)),
    of: (phone) =>
      db
        .all<StateRow>('SELECT * FROM chat_states WHERE phone = ? ORDER BY chat', phone)
        .map((row) => toState(phone, row)),
  };
}
