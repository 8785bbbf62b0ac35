import type { Actor, Chat, Person } from '../../world/index.ts';
import { directJid, lidJid, statusJid, userJid } from '../../world/index.ts';

/** The attributes that say who wrote a message, where, and how else they are known. */
export type Addresses = Record<string, string | undefined>;

/** A person's address with the device that speaks; the phone itself has no number. */
function withDevice(jid: string, device: number): string {
  return device === 0 ? jid : jid.replace('@', `:${device}@`);
}

/** What the readable outside of a message says of its author and its chat, to one of those who get it. */
export function addressesOf({
  chat,
  author,
  device,
  fromMe,
}: {
  chat: Chat;
  author: Person;
  device: number;
  /** It goes to another device of its author. */
  fromMe: boolean;
}): Addresses {
  switch (chat.kind) {
    case 'group':
      return {
        from: chat.jid,
        participant: withDevice(lidJid(author.lid), device),
        participant_pn: userJid(author.phone),
        addressing_mode: 'lid',
      };
    case 'status':
      return {
        from: statusJid,
        participant: withDevice(userJid(author.phone), device),
        participant_lid: lidJid(author.lid),
      };
    case 'direct':
      return fromMe ? ownAddresses(author, device, chat.person) : foreignAddresses(author, device);
  }
}

function ownAddresses(author: Person, device: number, other: Person): Addresses {
  return other.lidMode
    ? {
        from: withDevice(lidJid(author.lid), device),
        recipient: lidJid(other.lid),
        peer_recipient_pn: userJid(other.phone),
        addressing_mode: 'lid',
      }
    : {
        from: withDevice(userJid(author.phone), device),
        recipient: userJid(other.phone),
        peer_recipient_lid: lidJid(other.lid),
      };
}

function foreignAddresses(author: Person, device: number): Addresses {
  const from = withDevice(directJid(author), device);
  return author.lidMode
    ? { from, sender_pn: userJid(author.phone), addressing_mode: 'lid' }
    : { from, sender_lid: lidJid(author.lid) };
}

/** Whose device asks for a message again, and in which chat. */
export function askerOf({
  asker,
  person,
  chat,
  isOwn,
}: {
  asker: Actor;
  person: Person;
  /** As the asker named it. */
  chat: string;
  isOwn: boolean;
}): Addresses {
  if (chat.endsWith('@g.us')) {
    return {
      from: chat,
      participant: withDevice(lidJid(person.lid), asker.device),
      participant_pn: userJid(person.phone),
    };
  }
  if (chat === statusJid) return { from: chat, participant: withDevice(userJid(person.phone), asker.device) };
  const isLid = chat.endsWith('@lid') || (!isOwn && person.lidMode);
  const from = withDevice(isLid ? lidJid(person.lid) : userJid(person.phone), asker.device);
  return isOwn ? { from, recipient: chat } : { from };
}
