import type { MailboxWriter } from '../devices/mailbox.ts';
import type { GroupRegister } from '../groups/group-register.ts';
import type { Groups } from '../groups/types.ts';
import { isGroupJid } from '../jids.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { Privacy } from '../people/types.ts';
import { createSendingRules, type Destination } from '../rules/sending-rules.ts';
import { type Actor, type BroadcastList, type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import { createBubbles } from './bubbles.ts';
import { createButtonAnswers } from './button-answers.ts';
import { type ChatRegister, isDirectKey } from './chats.ts';
import { type Content, isMessageUpdate } from './content.ts';
import { createIncomingMessages } from './incoming-messages.ts';
import { createMessageTable, type MessageRow, type MessageTable } from './message-table.ts';
import { createMessageUpdates, type MessageUpdates } from './message-updates.ts';
import { createReceipts } from './receipts.ts';
import type { AwaitedMessages, BroadcastOrder, Messages, SendOrder, SendResult } from './types.ts';

interface MessagesNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
  register: GroupRegister;
  groups: Pick<Groups, 'setDisappearing'>;
  mailboxes: MailboxWriter;
  awaited: AwaitedMessages;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
  privacy: Pick<Privacy, 'lets'>;
  contactsOf(phone: PhoneNumber): PhoneNumber[];
  typingEndedBySending(phone: PhoneNumber, chat: string): void;
  issueOnWriting(giver: PhoneNumber, holder: PhoneNumber): void;
  startedChat(phone: PhoneNumber, person: PhoneNumber): void;
}

/** How a message got into the mailbox of a device. */
interface Origin {
  except?: Actor;
  list?: BroadcastList;
}

export function createMessages(needs: MessagesNeeds): Messages & { table: MessageTable } {
  const { context, phones, chats, mailboxes } = needs;
  const { clock, randomValues } = context;
  const table = createMessageTable(needs);
  const rules = createSendingRules({ ...needs, groups: needs.register, table });
  const messageUpdates: MessageUpdates = createMessageUpdates({ context, table });
  const receipts = createReceipts({ ...needs, table });
  const arrivals = createIncomingMessages({ ...needs, table, rules, messageUpdates, receipts });

  const newId = (): string => `3A${randomValues.hex(9)}`;

  const notify = (phone: PhoneNumber, row: MessageRow, content: Content, from: Origin = {}): void => {
    const message = { ...table.view(phone, row), content, ...(from.list && { list: from.list }) };
    mailboxes.notify(phone, { kind: 'message', message }, from.except);
  };

  const accept = (
    actor: Actor,
    order: SendOrder,
    destination: Destination,
    { list, isRepeated = false }: { list?: BroadcastList; isRepeated?: boolean } = {},
  ): SendResult => {
    const { id, content } = order;
    const from = list && { list };
    const { chat, recipients, expiresInSeconds } = destination;
    // content of a linked device is encrypted: only the receiving phones check it
    if (actor.device === 0) rules.check(actor, chat, content);
    const at = clock.now();
    const secret = content.type === 'poll' ? content.secret : randomValues.secret();
    const row = table.add({ id, chat, from: actor, at, content, expiresInSeconds, secret });
    if (isDirectKey(chat)) arrivals.openChat(actor, chat);
    if (content.type === 'disappearing') chats.setDisappearing(chat, content.seconds);
    needs.typingEndedBySending(actor.phone, chat);
    table.copyTo(actor.phone, row.seq, {});
    if (isMessageUpdate(content) && rules.accepts(actor.phone, actor, chat, content)) {
      messageUpdates.apply(actor.phone, { by: actor.phone, chat, content, at });
    }
    // The author's other devices get one message for the whole list.
    if (!isRepeated) notify(actor.phone, row, content, { ...from, except: actor });
    for (const recipient of recipients) {
      notify(recipient, row, content, from);
      if (isDirectKey(chat) && actor.device === 0) needs.issueOnWriting(actor.phone, recipient);
      arrivals.take(recipient, row, actor, content);
    }
    return { id, at, duplicate: false };
  };

  /** The network carries a duplicate like the first copy; each receiver decides, and phones drop it. */
  const repeat = (row: MessageRow, content: Content, { recipients }: Destination): SendResult => {
    const holders = new Set(table.holders(row.seq));
    for (const recipient of recipients) {
      if (!holders.has(recipient)) continue;
      arrivals.drop(recipient);
      notify(recipient, row, content);
    }
    return { id: row.id, at: row.at, duplicate: true };
  };

  const send = (actor: Actor, order: SendOrder): SendResult =>
    context.act(() => {
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

  const broadcast = (actor: Actor, { id, to, content }: BroadcastOrder): string =>
    context.act(() => {
      const people = to.map((address) => phones.require(address).phone).map(phones.person);
      if (new Set(people.map(({ phone }) => phone)).size < to.length || people.length === 0) {
        throw new WorldError('bad_request', 'a broadcast list takes different people');
      }
      if (isMessageUpdate(content)) throw new WorldError('bad_request', 'only new messages go to a list');
      const list = { jid: `${randomValues.digits(10)}@broadcast`, people };
      for (const [place, address] of to.entries()) {
        const order = { id, to: address, content };
        accept(actor, order, rules.destinationOf(actor, order), { list, isRepeated: place > 0 });
      }
      return list.jid;
    });

  return {
    table,
    send,
    broadcast,
    route: rules.destination,
    carry: (device, route, order) => context.act(() => arrivals.carry(device, route, order).at),
    newId,
    newSecret: randomValues.secret,
    receipt: receipts.receipt,
    readForOneself: receipts.readForOneself,
    mark: receipts.mark,
    ...createButtonAnswers({ context, table, send, newId }),
    ...createBubbles({ ...needs, table }),
  };
}
