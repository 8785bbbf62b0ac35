import type { MailboxWriter } from '../devices/mailbox.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { Privacy } from '../people/types.ts';
import { type Actor, type Phone, type PhoneNumber, type ReceiptType, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import { type ChatRegister, isDirectKey } from './chats.ts';
import type { Content } from './content.ts';
import type { MessageRow, MessageTable } from './message-table.ts';
import type { Messages } from './types.ts';

export interface Receipts extends Pick<Messages, 'receipt' | 'readForOneself' | 'mark'> {
  /** A phone gets a message: it keeps a copy and sends the delivery receipt, and the read receipt too with `autoRead`. */
  arrive(phone: Phone, row: MessageRow, isBubble: boolean, at: number): void;
}

const playable = new Set<Content['type']>(['image', 'video', 'audio']);

interface ReceiptsNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
  table: MessageTable;
  mailboxes: MailboxWriter;
  privacy: Pick<Privacy, 'lets'>;
}

export function createReceipts({
  context,
  phones,
  chats,
  table,
  mailboxes,
  privacy,
}: ReceiptsNeeds): Receipts {
  const { db, clock } = context;

  const notifyAuthor = (row: MessageRow, reader: PhoneNumber, type: ReceiptType, at: number): void => {
    mailboxes.notify(row.sender, {
      kind: 'receipt',
      chat: chats.view(row.sender, row.chat),
      messageId: row.id,
      reader: phones.person(reader),
      type,
      at,
    });
  };

  const notifyOwnDevices = (actor: Actor, row: MessageRow, at: number): void => {
    const chat = chats.view(actor.phone, row.chat);
    if (chat.kind === 'status') return;
    const reader = phones.person(actor.phone);
    mailboxes.notify(actor.phone, { kind: 'own_read', chat, messageId: row.id, reader, at }, actor);
  };

  /** In direct chats both sides have to share their read receipts. */
  const isShared = (row: MessageRow, reader: PhoneNumber, type: ReceiptType): boolean =>
    type === 'delivered' ||
    !isDirectKey(row.chat) ||
    (privacy.lets(reader, 'readreceipts', row.sender) && privacy.lets(row.sender, 'readreceipts', reader));

  /** Only the first receipt of a type has an effect. */
  const record = (actor: Actor, row: MessageRow, type: ReceiptType): void => {
    const { phone } = actor;
    if (row.sender === phone) return;
    const at = clock.now();
    if (!isShared(row, phone, type)) {
      if (type === 'read') notifyOwnDevices(actor, row, at);
      return;
    }
    const { changes } = db.run(
      `UPDATE copies SET ${type}_at = ? WHERE phone = ? AND seq = ? AND ${type}_at IS NULL`,
      at,
      phone,
      row.seq,
    );
    if (changes === 0) return;
    notifyAuthor(row, phone, type, at);
    if (type === 'read') notifyOwnDevices(actor, row, at);
  };

  return {
    arrive(phone, row, isBubble, at) {
      const reads = phone.autoRead && isBubble;
      const shares = reads && isShared(row, phone.phone, 'read');
      table.copyTo(phone.phone, row.seq, { deliveredAt: at, ...(shares && { readAt: at }) });
      notifyAuthor(row, phone.phone, 'delivered', at);
      if (!reads) return;
      if (shares) notifyAuthor(row, phone.phone, 'read', at);
      notifyOwnDevices({ phone: phone.phone, device: 0 }, row, at);
    },
    readForOneself(actor, ids) {
      context.act(() => {
        for (const id of ids) {
          const row = table.findFor(actor.phone, id);
          if (row && row.sender !== actor.phone) notifyOwnDevices(actor, row, clock.now());
        }
      });
    },
    receipt(actor, ids, type) {
      context.act(() => {
        for (const id of ids) {
          const row = table.findFor(actor.phone, id);
          if (row) record(actor, row, type);
        }
      });
    },
    mark(phone, id, type) {
      context.act(() => {
        phones.get(phone);
        const shown = table.shownTo(phone, id);
        if (!shown) throw new WorldError('not_found', `phone ${phone} has no message ${id}`);
        const { row, content } = shown;
        if (type === 'played' && !playable.has(content.type)) {
          throw new WorldError('bad_request', 'only image, video and audio can be played');
        }
        record({ phone, device: 0 }, row, type);
      });
    },
  };
}
