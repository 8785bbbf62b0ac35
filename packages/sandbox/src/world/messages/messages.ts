import type { PostOffice } from '../devices/mailbox.ts';
import type { Ground } from '../ground.ts';
import type { GroupRegister } from '../groups/group-register.ts';
import type { Groups } from '../groups/types.ts';
import { isGroupJid } from '../jids.ts';
import type { PhoneBook } from '../people/phones.ts';
import { createSendingRules, type Destination } from '../rules/sending-rules.ts';
import type { Actor, PhoneNumber } from '../types.ts';
import { type Amendments, createAmendments } from './amendments.ts';
import { createAnswers } from './answers.ts';
import { createArrivals } from './arrivals.ts';
import { createBubbles } from './bubbles.ts';
import { type ChatRegister, isDirectKey } from './chats.ts';
import { type Content, isAmending } from './content.ts';
import { createMessageTable, type MessageRow, type MessageTable } from './message-table.ts';
import { createReceipts } from './receipts.ts';
import type { Awaited, Messages, SendOrder, SendResult } from './types.ts';

interface MessagesNeeds {
  ground: Ground;
  phones: PhoneBook;
  chats: ChatRegister;
  register: GroupRegister;
  groups: Pick<Groups, 'setDisappearing'>;
  post: PostOffice;
  awaited: Awaited;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
  contactsOf(phone: PhoneNumber): PhoneNumber[];
  typingEndedBySending(phone: PhoneNumber, chat: string): void;
  issueOnWriting(giver: PhoneNumber, holder: PhoneNumber): void;
  startedChat(phone: PhoneNumber, person: PhoneNumber): void;
}

export function createMessages(needs: MessagesNeeds): Messages & { table: MessageTable } {
  const { ground, phones, chats, post } = needs;
  const { clock, chance } = ground;
  const table = createMessageTable(needs);
  const rules = createSendingRules({ ...needs, groups: needs.register, table });
  const amendments: Amendments = createAmendments({ ground, table });
  const receipts = createReceipts({ ...needs, table });
  const arrivals = createArrivals({ ...needs, table, rules, amendments, receipts });

  const newId = (): string => `3A${chance.hex(9)}`;

  const tell = (phone: PhoneNumber, row: MessageRow, content: Content, except?: Actor): void =>
    post.tell(phone, { kind: 'message', message: { ...table.view(phone, row), content } }, except);

  const accept = (actor: Actor, order: SendOrder, destination: Destination): SendResult => {
    const { id, content } = order;
    const { chat, recipients, expiresInSeconds } = destination;
    // nobody checks what a linked device sends but the phones that get it
    if (actor.device === 0) rules.check(actor, chat, content);
    const at = clock.now();
    const row = table.add({ id, chat, from: actor, at, content, expiresInSeconds });
    if (isDirectKey(chat)) arrivals.openChat(actor, chat);
    if (content.type === 'disappearing') chats.setDisappearing(chat, content.seconds);
    needs.typingEndedBySending(actor.phone, chat);
    table.copyTo(actor.phone, row.seq, {});
    if (isAmending(content) && rules.accepts(actor.phone, actor, chat, content)) {
      amendments.apply(actor.phone, { by: actor.phone, chat, content, at });
    }
    tell(actor.phone, row, content, actor);
    for (const recipient of recipients) {
      tell(recipient, row, content);
      if (isDirectKey(chat) && actor.device === 0) needs.issueOnWriting(actor.phone, recipient);
      arrivals.take(recipient, row, actor, content);
    }
    return { id, at, duplicate: false };
  };

  /** The network carries a second copy like the first; whether to drop it is up to each receiver, and phones do. */
  const repeat = (row: MessageRow, content: Content, { recipients }: Destination): SendResult => {
    const holders = new Set(table.holders(row.seq));
    for (const recipient of recipients) {
      if (!holders.has(recipient)) continue;
      arrivals.drop(recipient);
      tell(recipient, row, content);
    }
    return { id: row.id, at: row.at, duplicate: true };
  };

  const send = (actor: Actor, order: SendOrder): SendResult =>
    ground.act(() => {
      phones.get(actor.phone);
      const { id, to, content } = order;
      if (content.type === 'disappearing' && isGroupJid(to)) {
        needs.groups.setDisappearing(actor, to, content.seconds);
        return { id, at: clock.now(), duplicate: false };
      }
      const destination = rules.destinationOf(actor, order);
      const earlier = table.find(destination.chat, id);
      return earlier ? repeat(earlier, content, destination) : accept(actor, order, destination);
    });

  return {
    table,
    send,
    route: rules.destination,
    carry: (device, route, order) => ground.act(() => arrivals.carry(device, route, order).at),
    newId,
    newSecret: chance.secret,
    receipt: receipts.receipt,
    mark: receipts.mark,
    ...createAnswers({ ground, table, send, newId }),
    ...createBubbles({ ...needs, table }),
  };
}
