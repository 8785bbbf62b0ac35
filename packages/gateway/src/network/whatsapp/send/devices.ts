import type { WASocket } from 'baileys';
import { neverRejects } from '#kernel';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { digitsOf } from '../convert/index.ts';
import { timedOut } from '../errors.ts';
import { byJid, DEVICES, devicesOf, queryUsers } from '../link/queries.ts';

/**
 * Makes sure that the devices of a person are known before a message is sent to them. When the network does not
 * answer, the library assumes that it knows none, and sends to the number's own devices alone; the network
 * acknowledges that.
 * `unknown`: the network does not know the person; `none`: it does, and lists no device.
 */
export async function findDevices(sock: WASocket, jid: Jid): Promise<'found' | 'none' | 'unknown'> {
  const known = await sock.getUSyncDevices([jid], true, false);
  if (known.length > 0) return 'found';
  const [user] = await queryUsers(sock, [DEVICES], [byJid(jid)]);
  const devices = user && devicesOf(user);
  if (devices?.length) throw timedOut();
  return devices ? 'none' : 'unknown';
}

/** Clears the device list; the next send queries it again. */
export function forgetDevices(sock: WASocket, jid: Jid): void {
  // The cache is in memory.
  const dropped = sock.userDevicesCache.del(digitsOf(jid));
  if (dropped instanceof Promise) neverRejects(dropped);
}

/** Checks the devices that the library found while it sent; the library continues when there is none. */
export async function assertReached(sock: WASocket, jid: Jid): Promise<void> {
  const devices = await sock.userDevicesCache.get<readonly unknown[]>(digitsOf(jid));
  if (!devices?.length) throw noDevices();
}

export function noDevices(): NetworkError {
  return new NetworkError('transient', 'The network names no device of the recipient at this moment.');
}

/** More devices than a person can link; a device beyond them asks for the message itself. */
const MOST_MISSED = 20;

interface KnownDevice {
  readonly user: string;
  readonly device?: number;
}

const nameOf = ({ user, device = 0 }: KnownDevice): string => `${user}:${device}`;

/**
 * Finds devices of these people that a sent message was not encrypted for, after the network reported a
 * difference, and adds them to the known ones. People without a known list were queried anyway.
 */
export async function findMissed(sock: WASocket, people: readonly Jid[]): Promise<readonly string[]> {
  const before = new Map<Jid, readonly KnownDevice[]>();
  for (const person of people) {
    const known = await sock.userDevicesCache.get<readonly KnownDevice[]>(digitsOf(person));
    if (known?.length) before.set(person, known);
    forgetDevices(sock, person);
  }
  if (before.size === 0) return [];
  const written = new Set([...before.values()].flat().map(nameOf));
  const devices = await sock.getUSyncDevices([...before.keys()], false, false);
  return devices
    .filter((device) => !written.has(nameOf(device)))
    .map(({ jid }) => jid)
    .slice(0, MOST_MISSED);
}

/**
 * Clears the record of who has the number's key for a group. The library writes it before the message with the
 * key has left. When the network refuses that message, no device has the key and later messages could not be
 * read; after this call the key is sent to all members again.
 */
export async function forgetSenderKeyRecipients(sock: WASocket, group: Jid, myId: string): Promise<void> {
  const { keys } = sock.authState;
  // In the transaction of sends, so that a concurrent one does not write back what it read before.
  await keys.transaction(async () => keys.set({ 'sender-key-memory': { [group]: null } }), myId);
}
