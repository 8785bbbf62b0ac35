import { type Amendments, createAmendments } from './amendments.ts';
import { createAnswers } from './answers.ts';
import { createBubbles } from './bubbles.ts';
import { type ChatRegister, isDirectKey } from './chats.ts';
import { isAmending } from './content.ts';
import type { Ground } from './ground.ts';
import type { GroupRegister } from './group-register.ts';
import { isGroupJid } from './jids.ts';
import type { PostOffice } from './mailbox.ts';
import { createMessageTable, type MessageRow } from './message-table.ts';
import type { PhoneBook } from './phones.ts';
import { createReceipts } from './receipts.ts';
import { createSendingRules, type Destination } from './sending-rules.ts';
import type { Actor, PhoneNumber } from './types.ts';
import type { Groups, Messages, SendOrder, SendResult } from './world.ts';

interface MessagesNeeds {
  ground: Ground;
  phones: PhoneBook;
  chats: ChatRegister;
  register: GroupRegister;
  groups: Pick<Groups, 'setDisappearing'>;
  post: PostOffice;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
  contactsOf(phone: PhoneNumber): PhoneNumber[];
  typingEndedBySending(phone: PhoneNumber, chat: string): void;
  issueOnWriting(giver: PhoneNumber, holder: PhoneNumber): void;
}

export function createMessages(needs: MessagesNeeds): Messages {
  const { ground, phones, chats, post } = needs;
  const { db, clock, chance } = ground;
  const table = createMessageTable(needs);
  const rules = createSendingRules({ ...needs, groups: needs.register, table });
  const amendments: Amendments = createAmendments({ ground, table });
  const receipts = createReceipts({ ...needs, table });

  const newId = (): string => `3A${chance.hex(9)}`;

  const tell = (phone: PhoneNumber, row: MessageRow, except?: Actor): void =>
    post.tell(phone, { kind: 'message', message: table.view(phone, row) }, except);

  const accept = (actor: Actor, order: SendOrder, destination: Destination): SendResult => {
    const { id, content } = order;
    const { chat, recipients, expiresInSeconds } = destination;
    rules.check(actor, chat, content);
    const { at = clock.now() } = order;
    const row = table.add({ id, chat, from: actor, at, content, expiresInSeconds });
    if (isDirectKey(chat)) chats.open(chat);
    if (isAmending(content)) amendments.apply(actor.phone, chat, content, at);
    if (content.type === 'disappearing') chats.setDisappearing(chat, content.seconds);
    needs.typingEndedBySending(actor.phone, chat);
    table.copyTo(actor.phone, row.seq, {});
    tell(actor.phone, row, actor);
    for (const recipient of recipients) {
      tell(recipient, row);
      if (isDirectKey(chat) && actor.device === 0) needs.issueOnWriting(actor.phone, recipient);
      receipts.arrive(phones.get(recipient), row, !isAmending(content), at);
    }
    return { id, at, duplicate: false };
  };

  /** The network carries a second copy like the first; whether to drop it is up to each receiver, and phones do. */
  const repeat = (row: MessageRow, { recipients }: Destination): SendResult => {
    const holders = new Set(table.holders(row.seq));
    for (const recipient of recipients) {
      if (!holders.has(recipient)) continue;
      db.run('UPDATE phones SET duplicates_dropped = duplicates_dropped + 1 WHERE phone = ?', recipient);
      tell(recipient, row);
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
      const destination = rules.destination(actor, order);
      const earlier = table.find(destination.chat, id);
      return earlier ? repeat(earlier, destination) : accept(actor, order, destination);
    });

  return {
    send,
    newId,
    newSecret: chance.secret,
    receipt: receipts.receipt,
    mark: receipts.mark,
    ...createAnswers({ ground, table, send, newId }),
    ...createBubbles({ ...needs, table }),
  };
}
