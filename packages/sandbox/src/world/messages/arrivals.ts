import type { Ground } from '../ground.ts';
import type { PhoneBook } from '../people/phones.ts';
import type { Destination, SendingRules } from '../rules/sending-rules.ts';
import { type Actor, type LinkedDevice, type PhoneNumber, WorldError } from '../types.ts';
import type { Amendments } from './amendments.ts';
import type { ChatKey, ChatRegister } from './chats.ts';
import { isDirectKey } from './chats.ts';
import { type Content, isAmending } from './content.ts';
import type { MessageRow, MessageTable } from './message-table.ts';
import type { Receipts } from './receipts.ts';
import type { Awaited, CarryOrder, Reading } from './types.ts';

/** What phones do with messages that come to them. */
export interface Arrivals {
  /** A phone can read it: shows it or changes what it shows, and says to the author that it has it. */
  take(phone: PhoneNumber, row: MessageRow, from: Actor, content: Content): void;
  /** What a linked device sent reaches the phones, each of which made of its own copy what it could. */
  carry(from: LinkedDevice, destination: Destination, order: CarryOrder): MessageRow;
  /** Something is said in a direct chat. */
  openChat(from: Actor, chat: ChatKey): void;
  /** A phone throws a copy of what it has already away. */
  drop(phone: PhoneNumber): void;
}

interface ArrivalsNeeds {
  ground: Ground;
  phones: PhoneBook;
  chats: ChatRegister;
  table: MessageTable;
  rules: SendingRules;
  amendments: Amendments;
  receipts: Receipts;
  awaited: Awaited;
  typingEndedBySending(phone: PhoneNumber, chat: ChatKey): void;
  startedChat(phone: PhoneNumber, person: PhoneNumber): void;
}

export function createArrivals(needs: ArrivalsNeeds): Arrivals {
  const { ground, phones, chats, table, rules, amendments, receipts, awaited } = needs;
  const { db, clock } = ground;

  const drop = (phone: PhoneNumber): void => {
    db.run('UPDATE phones SET duplicates_dropped = duplicates_dropped + 1 WHERE phone = ?', phone);
  };

  /** The network counts whom linked devices write to; what a phone does by itself nobody holds against it. */
  const openChat: Arrivals['openChat'] = ({ phone, device }, chat) => {
    if (chats.open(chat) && device !== 0) needs.startedChat(phone, chats.partnerIn(chat, phone));
  };

  const setTimer = (chat: ChatKey, seconds: number): void => {
    try {
      chats.setDisappearing(chat, seconds);
    } catch (error) {
      // a phone does not know this timer
      if (!(error instanceof WorldError)) throw error;
    }
  };

  const take: Arrivals['take'] = (phone, row, from, content) => {
    const at = clock.now();
    // nobody is told that their own phone has what they wrote
    if (phone === row.sender) table.copyTo(phone, row.seq, {});
    else receipts.arrive(phones.get(phone), row, !isAmending(content), at);
    table.read(phone, row, content);
    if (content.type === 'disappearing' && isDirectKey(row.chat)) setTimer(row.chat, content.seconds);
    if (!isAmending(content) || !rules.accepts(phone, from, row.chat, content)) return;
    amendments.apply(phone, { by: from.phone, chat: row.chat, content, at });
  };

  const arrive = (
    phone: PhoneNumber,
    row: MessageRow,
    from: LinkedDevice,
    to: string,
    reading: Reading,
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
