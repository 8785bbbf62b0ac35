import { isJidGroup, isLidUser, isPnUser, jidDecode, jidNormalizedUser } from 'baileys';
import type { Jid } from '../../content.ts';
import { isPlausibleAddress } from './bounds.ts';

export const STATUS_BROADCAST = 'status@broadcast';

/** The account of an address: without device, agent and domain variants. Empty for an invalid address. */
export function accountOf(address: string | undefined | null): Jid {
  return address && isPlausibleAddress(address) ? jidNormalizedUser(address) : '';
}

/** The distinct accounts of these addresses. */
export function accountsOf(...addresses: (string | undefined | null)[]): Jid[] {
  return [...new Set(addresses.map(accountOf))].filter((account) => account !== '');
}

/** The first of these addresses with a phone number. */
export function phoneAmong(...addresses: (string | undefined | null)[]): Jid | undefined {
  return addresses.map((address) => (address && isPnUser(address) ? accountOf(address) : '')).find(Boolean);
}

/** The first of these addresses that is a hidden one. */
export function lidAmong(...addresses: (string | undefined | null)[]): Jid | undefined {
  return addresses.map((address) => (address && isLidUser(address) ? accountOf(address) : '')).find(Boolean);
}

export function isGroup(jid: string): boolean {
  return isJidGroup(jid) === true;
}

export function isLid(jid: string): boolean {
  return isLidUser(jid) === true;
}

export function isPhone(jid: string): boolean {
  return isPnUser(jid) === true;
}

/** Whether this is the address of a person, of either kind. */
export function isPerson(jid: string): boolean {
  return isPhone(jid) || isLid(jid);
}

export function isChannel(jid: string): boolean {
  return jid.endsWith('@newsletter');
}

export function phoneJid(digits: string): Jid {
  return `${digits}@s.whatsapp.net`;
}

export function lidJid(digits: string): Jid {
  return `${digits}@lid`;
}

export function digitsOf(jid: string): string {
  return jidDecode(jid)?.user ?? '';
}

/** The two addresses of one account. */
export interface Me {
  readonly id: string;
  readonly lid?: string | undefined;
}

export function isOwnJid(address: string | undefined, me: Me): boolean {
  const account = accountOf(address);
  return account !== '' && (account === accountOf(me.id) || account === accountOf(me.lid));
}
