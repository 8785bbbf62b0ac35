import type { LinkedDevice, Person, PhoneNumber, Route } from '../../world/index.ts';
import { isGroupJid, statusJid } from '../../world/index.ts';
import type { Network } from '../network.ts';
import type { Outbox } from '../signal/outbox.ts';
import { verifiedName } from '../stanzas/usync.ts';
import { type Node, node } from '../transport/nodes.ts';
import { messageAddresses, retryAddresses } from './addresses.ts';
import type { Envelope } from './copies.ts';

/** Forwards stanzas between linked devices unchanged. */
export interface Forwarding {
  /** Gives each device the copy addressed to it; a device without a copy gets nothing. Only inside a transaction. */
  message(from: LinkedDevice, stanza: Node, envelope: Envelope, route: Route, at: number): void;
  /** Forwards a retry receipt to the device that wrote the message. */
  retry(from: LinkedDevice, author: LinkedDevice, receipt: Node, at: number): void;
}

/** Parts of a message besides its content that recipients get. */
const PASSED_ON: ReadonlySet<string> = new Set(['meta', 'biz', 'bot']);

export function createForwarding({ world }: Pick<Network, 'world'>, outbox: Outbox): Forwarding {
  const send = (to: LinkedDevice, what: 'message' | 'retry', by: LinkedDevice, stanza: Node): void => {
    const { sessionId } = to;
    const messageId = stanza.attrs.id ?? '';
    const id = world.mailboxes.forward(sessionId, { what, messageId, by: by.sessionId });
    outbox.keep({ sessionId, id }, stanza);
  };

  const copiesFor = (device: LinkedDevice, { common, copyFor }: Envelope): Node[] => {
    const own = copyFor(device);
    return [...(own ? [own] : []), ...(common ? [common] : [])];
  };

  const chatOf = (from: LinkedDevice, viewer: PhoneNumber, { chat }: Envelope, author: Person) => {
    if (isGroupJid(chat)) return { kind: 'group', jid: chat } as const;
    if (chat === statusJid) return { kind: 'status', jid: chat } as const;
    const person = viewer === from.phone ? world.phones.find(chat) : author;
    return { kind: 'direct', jid: chat, person: person ?? author } as const;
  };

  return {
    message(from, stanza, envelope, { recipients }, at) {
      const author = world.phones.get(from.phone);
      const { type, edit } = stanza.attrs;
      const parts = Array.isArray(stanza.content) ? stanza.content : [];
      const passedOn = parts.filter(({ tag }) => PASSED_ON.has(tag));
      const identity = parts.filter(({ tag }) => tag === 'device-identity');
      const business = author.businessName === undefined ? [] : [verifiedName(author.businessName)];

      const deliver = (to: LinkedDevice): void => {
        if (to.sessionId === from.sessionId) return;
        const copies = copiesFor(to, envelope);
        if (copies.length === 0) return;
        const fromMe = to.phone === from.phone;
        const chat = chatOf(from, to.phone, envelope, author);
        const addresses = messageAddresses({ id: envelope.id, chat, author, device: from.device, fromMe });
        const opensSession = copies.some(({ attrs }) => attrs.type === 'pkmsg');
        const content = [...copies, ...(opensSession ? identity : []), ...passedOn, ...business];
        const outside = { id: envelope.id, t: Math.floor(at / 1000), type, edit, notify: author.name };
        send(to, 'message', from, node('message', { ...outside, ...addresses }, content));
      };

      const { only } = envelope;
      for (const phone of only ? [only.phone] : [...recipients, from.phone]) {
        for (const device of world.devices.of(phone)) {
          if (!only || only.device === device.device) deliver(device);
        }
      }
    },

    retry(from, author, receipt, at) {
      const { id = '', to = '', recipient } = receipt.attrs;
      const isOwn = from.phone === author.phone;
      const asker = retryAddresses({
        id,
        asker: from,
        person: world.phones.person(from.phone),
        chat: isOwn && recipient ? recipient : to,
        isOwn,
      });
      const outside = { id, type: 'retry', t: Math.floor(at / 1000) };
      send(author, 'retry', from, node('receipt', { ...outside, ...asker }, receipt.content));
    },
  };
}
