import type { WASocket } from 'baileys';
import type { Jid } from '../../content.ts';
import { digitsOf } from '../convert/index.ts';
import { forgetDevices } from './devices.ts';

/** More than anybody links; whoever has more asks for what is missing. */
const MOST_MISSED = 20;

interface KnownDevice {
  readonly user: string;
  readonly device?: number;
}

const nameOf = ({ user, device = 0 }: KnownDevice): string => `${user}:${device}`;

/**
 * The devices of these people that a message which has just left was not written for: the network told that there are others than those that
 * were known. From here on the new ones are known. People of whom no list was known were asked for anyway.
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
