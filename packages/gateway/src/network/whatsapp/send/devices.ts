import type { WASocket } from 'baileys';
import { neverRejects } from '#kernel';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { digitsOf } from '../convert/index.ts';
import { timedOut } from '../errors.ts';
import { byJid, DEVICES, devicesOf, queryUsers } from '../link/queries.ts';

/**
 * Makes sure that the devices of somebody are known before a message is sent to them. The library takes a network that does not answer for
 * one that knows none, and then sends to the number's own devices alone; the network acknowledges that.
 * `unknown`: the network knows nobody there; `none`: it does, and names no device.
 */
export async function findDevices(sock: WASocket, jid: Jid): Promise<'found' | 'none' | 'unknown'> {
  const known = await sock.getUSyncDevices([jid], true, false);
  if (known.length > 0) return 'found';
  const [user] = await queryUsers(sock, [DEVICES], [byJid(jid)]);
  const devices = user && devicesOf(user);
  if (devices?.length) throw timedOut();
  return devices ? 'none' : 'unknown';
}

/** They are asked for anew when they are needed next. */
export function forgetDevices(sock: WASocket, jid: Jid): void {
  // The cache is in memory.
  const dropped = sock.userDevicesCache.del(digitsOf(jid));
  if (dropped instanceof Promise) neverRejects(dropped);
}

/** What the library found while it sent; it goes on when it has found none. */
export async function assertReached(sock: WASocket, jid: Jid): Promise<void> {
  const devices = await sock.userDevicesCache.get<readonly unknown[]>(digitsOf(jid));
  if (!devices?.length) throw nobodyThere();
}

export function nobodyThere(): NetworkError {
  return new NetworkError('transient', 'The network names no device of the recipient at this moment.');
}
