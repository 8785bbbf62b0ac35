import type { ReceiptType } from '../../world/index.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { unixSeconds } from '../ports.ts';
import { child, children, node } from '../transport/nodes.ts';

/**
 * What a client's receipt tells the author. A client's talk with its own other devices tells nobody anything, nor does `inactive`: a
 * client got the message while nobody looks, which people are not shown.
 */
const TOLD: Readonly<Record<string, ReceiptType | undefined>> = {
  '': 'delivered',
  read: 'read',
  played: 'played',
};

const FILE_IS_GONE = 'server-error';

export function createReceiptHandler({ world, clock }: Network, shareAgain: StanzaHandler): StanzaHandler {
  return async (session, stanza) => {
    const { id, to, type, participant } = stanza.attrs;
    if (!id) return;
    if (type === FILE_IS_GONE) await shareAgain(session, stanza);
    const told = TOLD[type ?? ''];
    const others = children(child(stanza, 'list'), 'item').flatMap((item) => item.attrs.id ?? []);
    if (told) world.messages.receipt(session.device, [id, ...others], told);
    session.send(node('ack', { class: 'receipt', id, from: to, participant, type, t: unixSeconds(clock) }));
  };
}
