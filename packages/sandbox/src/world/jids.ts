import type { Person, PhoneNumber, SessionId } from './types.ts';

export const statusJid = 'status@broadcast';

export const userJid = (phone: PhoneNumber): string => `${phone}@s.whatsapp.net`;
export const lidJid = (lid: string): string => `${lid}@lid`;
export const sessionIdOf = (phone: PhoneNumber, device: number): SessionId =>
  `${phone}:${device}@s.whatsapp.net`;

/** The address that is shown for a person. */
export const directJid = (person: Person): string =>
  person.lidMode ? lidJid(person.lid) : userJid(person.phone);

/** Whether the network uses the LID of a person. With `mixed` it alternates, but stays the same for one `turn`. */
export function goesByLid({ addressing }: Person, turn: string): boolean {
  return addressing === 'mixed' ? turn.charCodeAt(turn.length - 1) % 2 === 0 : addressing === 'lid';
}

/** The address that the network uses for a person in direct chats. */
export const networkJid = (person: Person, turn: string): string =>
  goesByLid(person, turn) ? lidJid(person.lid) : userJid(person.phone);

/** The number, shown beside a LID; undefined where it is hidden. */
export const shownNumber = ({ phone, hidesPhone }: Person): string | undefined =>
  hidesPhone ? undefined : userJid(phone);

export const isGroupJid = (jid: string): boolean => jid.endsWith('@g.us');
export const isLidAddress = (jid: string): boolean => jid.endsWith('@lid');
export const isChannelJid = (jid: string): boolean => jid.endsWith('@newsletter');

export type UserAddress = { phone: PhoneNumber } | { lid: string };

const userAddress =
  /^(?:\+?(?<number>\d{5,20})|(?<phone>\d{5,20})(?::\d{1,3})?@(?:s\.whatsapp\.net|c\.us)|(?<lid>\d{1,20})(?::\d{1,3})?@lid)$/;

/** Reads a number, a user JID or a LID, with or without device; undefined for anything else. */
export function readUserAddress(text: string): UserAddress | undefined {
  const groups = userAddress.exec(text)?.groups;
  if (!groups) return undefined;
  if (groups.lid !== undefined) return { lid: groups.lid };
  const phone = groups.number ?? groups.phone;
  return phone === undefined ? undefined : { phone };
}

/** The code inside an invite link of a group or a channel, or the text itself when it is no link. */
export const readInvite = (linkOrCode: string): string =>
  linkOrCode.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
