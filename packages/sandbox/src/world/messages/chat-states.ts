import type { MailboxWriter } from '../devices/mailbox.ts';
import type { Actor, PhoneNumber } from '../types.ts';
import { WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
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
  context: WorldContext;
  chats: ChatRegister;
  table: Pick<MessageTable, 'findFor'>;
  mailboxes: Pick<MailboxWriter, 'notify'>;
}

/** What a phone's owner does with chats and messages for themselves alone. */
export function createChatStates({ context, chats, table, mailboxes }: ChatStatesNeeds): ChatStates {
  const { db, clock, randomValues } = context;

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

  /** Other devices get changes of a chat, not those of single messages. */
  const notify = (actor: Actor, chat: ChatKey, order: ChatChange): void => {
    if (order.type === 'star' || order.type === 'delete_message') return;
    const { phone, device: by } = actor;
    const news = {
      id: randomValues.hex(8),
      by,
      chat: chats.view(phone, chat),
      change: order,
      at: clock.now(),
    };
    mailboxes.notify(phone, { kind: 'chat_state', ...news }, actor);
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
    notify(actor, chat, order);
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
    change: (actor, address, order) => context.act(() => change(actor, address, order)),
    of: (phone) =>
      db
        .all<StateRow>('SELECT * FROM chat_states WHERE phone = ? ORDER BY chat', phone)
        .map((row) => toState(phone, row)),
  };
}
