import type { PhoneStore } from '../people/phones.ts';
import type { Destination, SendingRules } from '../rules/sending-rules.ts';
import { type Actor, type LinkedDevice, type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { ChatKey, ChatRegister } from './chats.ts';
import { isDirectKey } from './chats.ts';
import { type Content, isMessageUpdate } from './content.ts';
import type { MessageRow, MessageTable } from './message-table.ts';
import type { MessageUpdates } from './message-updates.ts';
import type { Receipts } from './receipts.ts';
import type { AwaitedMessages, CarryOrder, CopyOutcome } from './types.ts';

/** What phones do with incoming messages. */
export interface IncomingMessages {
  /** The phone decrypted it: it shows the message or applies the update, and sends the delivery receipt. */
  take(phone: PhoneNumber, row: MessageRow, from: Actor, content: Content): void;
  /** Brings a message of a linked device to the phones, each with the outcome for its own copy. */
  carry(from: LinkedDevice, destination: Destination, order: CarryOrder): MessageRow;
  /** A message was sent in a direct chat. */
  openChat(from: Actor, chat: ChatKey): void;
  /** A phone drops a duplicate. */
  drop(phone: PhoneNumber): void;
}

interface IncomingMessagesNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
  table: MessageTable;
  rules: SendingRules;
  messageUpdates: MessageUpdates;
  receipts: Receipts;
  awaited: AwaitedMessages;
  typingEndedBySending(phone: PhoneNumber, chat: ChatKey): void;
  startedChat(phone: PhoneNumber, person: PhoneNumber): void;
}

export function createIncomingMessages(needs: IncomingMessagesNeeds): IncomingMessages {
  const { context, phones, chats, table, rules, messageUpdates, receipts, awaited } = needs;
  const { db, clock } = context;

  const drop = (phone: PhoneNumber): void => {
    db.run('UPDATE phones SET duplicates_dropped = duplicates_dropped + 1 WHERE phone = ?', phone);
  };

  /** The network counts new chats of linked devices only, not those of a phone. */
  const openChat: IncomingMessages['openChat'] = ({ phone, device }, chat) => {
    if (chats.open(chat) && device !== 0) needs.startedChat(phone, chats.partnerIn(chat, phone));
  };

  const setTimer = (chat: ChatKey, seconds: number): void => {
    try {
      chats.setDisappearing(chat, seconds);
    } catch (error) {
      // the timer is unknown to the phone
      if (!(error instanceof WorldError)) throw error;
    }
  };

  const take: IncomingMessages['take'] = (phone, row, from, content) => {
    const at = clock.now();
    // a phone sends no receipt for its owner's own message
    if (phone === row.sender) table.copyTo(phone, row.seq, {});
    else receipts.arrive(phones.get(phone), row, !isMessageUpdate(content), at);
    table.read(phone, row, content);
    if (content.type === 'disappearing' && isDirectKey(row.chat)) setTimer(row.chat, content.seconds);
    if (!isMessageUpdate(content) || !rules.accepts(phone, from, row.chat, content)) return;
    messageUpdates.apply(phone, { by: from.phone, chat: row.chat, content, at });
  };

  const arrive = (
    phone: PhoneNumber,
    row: MessageRow,
    from: LinkedDevice,
    to: string,
    reading: CopyOutcome,
  ): void => {
    const copy = table.copyOf(phone, row.seq);
    if (copy && !copy.waiting) {
      if (reading.kind !== 'missing' && phone !== from.phone) drop(phone);
      awaited.came(phone, from, row.id);
      return;
    }
    switch (reading.kind) {
      case 'missing':
        table.copyTo(phone, row.seq, { waiting: true });
        return;
      case 'unreadable':
        if (!reading.hidden) table.copyTo(phone, row.seq, { waiting: true });
        awaited.ask(phone, from, { id: row.id, to });
        return;
      case 'read':
        awaited.came(phone, from, row.id);
        if (reading.secret !== undefined) table.learnSecret(row, reading.secret);
        if (reading.content) take(phone, row, from, reading.content);
        else table.removeCopy(phone, row.seq);
    }
  };

  return {
    take,
    drop,
    openChat,
    carry(from, { chat, expiresInSeconds }, { id, to, readings }) {
      const known = table.find(chat, id);
      const row = known ?? table.add({ id, chat, from, at: clock.now(), expiresInSeconds });
      if (!known) {
        if (isDirectKey(chat)) openChat(from, chat);
        needs.typingEndedBySending(from.phone, chat);
      }
      for (const [phone, reading] of readings) arrive(phone, row, from, to, reading);
      return row;
    },
  };
}
