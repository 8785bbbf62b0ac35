import type { Actor, Chat, Person } from '../../world/index.ts';
import { goesByLid, lidJid, networkJid, shownNumber, statusJid, userJid } from '../../world/index.ts';

/** The attributes that say who wrote a message, where, and how else they are known. */
export type Addresses = Record<string, string | undefined>;

/** A person's address with the device that speaks; the phone itself has no number. */
function withDevice(jid: string, device: number): string {
  return device === 0 ? jid : jid.replace('@', `:${device}@`);
}

/** What the readable outside of a message says of its author and its chat, to one of those who get it. */
export function addressesOf({
  id,
  chat,
  author,
  device,
  fromMe,
}: {
  id: string;
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

/** Sender keys are filed by the author's address, so in a story it is never by turns. */
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

/** Whose device asks for a message again, and in which chat. */
export function askerOf({
  id,
  asker,
  person,
  chat,
  isOwn,
}: {
  id: string;
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
      participant_pn: shownNumber(person),
    };
  }
  if (chat === statusJid) return { from: chat, ...storyteller(person, asker.device) };
  const isLid = chat.endsWith('@lid') || (!isOwn && goesByLid(person, id));
  const from = withDevice(isLid ? lidJid(person.lid) : userJid(person.phone), asker.device);
  return isOwn ? { from, recipient: chat } : { from };
}
