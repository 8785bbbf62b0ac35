import { parseSessionId } from '@parley/contract';
import type { LinkedDevice, Phone, World } from '../world/index.ts';
import { Refusal } from './errors.ts';
import { canAccess, type Guest } from './guests.ts';

/** The linked device of a session id; without a device suffix, the one that was linked last. */
export function requireSession(
  world: World,
  sessionId: string,
  { owner, guest }: { owner?: Phone; guest?: Guest | undefined },
): LinkedDevice {
  const named = parseSessionId(sessionId);
  const device = named?.device === null ? world.devices.of(named.phone).at(-1) : world.devices.get(sessionId);
  if (!device || (owner && device.phone !== owner.phone) || !canAccess(world, guest, device.phone)) {
    throw new Refusal(404, `${sessionId} is not linked${owner ? ` to ${owner.phone}` : ''}`);
  }
  return device;
}
