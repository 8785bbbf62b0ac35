import type { ReceiptType } from '../../world/index.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { unixSeconds } from '../ports.ts';
import { child, children, node } from '../transport/nodes.ts';

/**
 * Receipt types for the author of a message, by a client's receipt. Messages between a client and its own devices have none, nor
 * has `inactive`: a client received the message without an active user, which people are not shown.
 */
const RECEIPT_TYPES: Readonly<Record<string, ReceiptType | undefined>> = {
  '': 'delivered',
  read: 'read',
  played: 'played',
};

/** For the other devices of an owner who shares no read receipts. */
const READ_FOR_ONESELF = 'read-self';
const FILE_IS_GONE = 'server-error';

export function createReceiptHandler({ world, clock }: Network, shareAgain: StanzaHandler): StanzaHandler {
  return async (session, stanza) => {
    const { id, to, type, participant } = stanza.attrs;
    if (!id) return;
    if (type === FILE_IS_GONE) await shareAgain(session, stanza);
    const receiptType = RECEIPT_TYPES[type ?? ''];
    const others = children(child(stanza, 'list'), 'item').flatMap((item) => item.attrs.id ?? []);
    const ids = [id, ...others];
    if (receiptType) world.messages.receipt(session.device, ids, receiptType);
    if (type === READ_FOR_ONESELF) world.messages.readForOneself(session.device, ids);
    session.send(node('ack', { class: 'receipt', id, from: to, participant, type, t: unixSeconds(clock) }));
  };
}
