import type { Actor, BroadcastList, Chat, Person } from '../../world/index.ts';
import { goesByLid, lidJid, networkJid, shownNumber, statusJid, userJid } from '../../world/index.ts';

/** Attributes for the author of a message, its chat, and their alternate addresses. */
export type Addresses = Record<string, string | undefined>;

/** A person's address with the sending device; the phone itself has no device number. */
function withDevice(jid: string, device: number): string {
  return device === 0 ? jid : jid.replace('@', `:${device}@`);
}

/** Address attributes of a message for one of its recipients. */
export function messageAddresses({
  id,
  chat,
  author,
  device,
  fromMe,
  list,
}: {
  id: string;
  chat: Chat;
  author: Person;
  device: number;
  /** The recipient is another device of the author. */
  fromMe: boolean;
  /** The list of people to whom the message went at once. */
  list?: BroadcastList | undefined;
}): Addresses {
  if (list) return { from: list.jid, ...listAuthor(id, author, device) };
  switch (chat.kind) {
    case 'group':
      return {
        from: chat.jid,
        participant: withDevice(lidJid(author.lid), device),
        participant_pn: shownNumber(author),
        participant_username: author.username,
        addressing_mode: 'lid',
      };
    case 'status':
      return { from: statusJid, ...storyteller(author, device) };
    case 'direct':
      return fromMe ? ownAddresses(id, author, device, chat.person) : foreignAddresses(id, author, device);
  }
}

function listAuthor(id: string, author: Person, device: number): Addresses {
  const participant = withDevice(networkJid(author, id), device);
  return goesByLid(author, id)
    ? { participant, participant_pn: shownNumber(author), addressing_mode: 'lid' }
    : { participant, participant_lid: lidJid(author.lid) };
}

/** Sender keys are stored by the author's address, so a story has one address also under migration. */
export function storyJid(person: Person): string {
  return person.addressing === 'pn' ? userJid(person.phone) : lidJid(person.lid);
}

function storyteller(author: Person, device: number): Addresses {
  const participant = withDevice(storyJid(author), device);
  return author.addressing === 'pn'
    ? { participant, participant_lid: lidJid(author.lid), participant_username: author.username }
    : {
        participant,
        participant_pn: shownNumber(author),
        participant_username: author.username,
        addressing_mode: 'lid',
      };
}

function ownAddresses(id: string, author: Person, device: number, other: Person): Addresses {
  return goesByLid(other, id)
    ? {
        from: withDevice(lidJid(author.lid), device),
        recipient: lidJid(other.lid),
        peer_recipient_pn: shownNumber(other),
        peer_recipient_username: other.username,
        addressing_mode: 'lid',
      }
    : {
        from: withDevice(userJid(author.phone), device),
        recipient: userJid(other.phone),
        peer_recipient_lid: lidJid(other.lid),
        peer_recipient_username: other.username,
      };
}

function foreignAddresses(id: string, author: Person, device: number): Addresses {
  const from = withDevice(networkJid(author, id), device);
  const { username } = author;
  return goesByLid(author, id)
    ? { from, sender_pn: shownNumber(author), username, addressing_mode: 'lid' }
    : { from, sender_lid: lidJid(author.lid), username };
}

/** Address attributes of a device that requests a message again. */
export function retryAddresses({
  id,
  asker,
  person,
  chat,
  isOwn,
}: {
  id: string;
  asker: Actor;
  person: Person;
  /** As the requesting device named it. */
  chat: string;
  isOwn: boolean;
}): Addresses {
  if (chat.endsWith('@g.us')) {
    return {
      from: chat,
      participant: withDevice(lidJid(person.lid), asker.device),
      participant_pn: shownNumber(person),
    };
  }
  if (chat === statusJid) return { from: chat, ...storyteller(person, asker.device) };
  const isLid = chat.endsWith('@lid') || (!isOwn && goesByLid(person, id));
  const from = withDevice(isLid ? lidJid(person.lid) : userJid(person.phone), asker.device);
  return isOwn ? { from, recipient: chat } : { from };
}
