import type { PhoneNumber, World } from '../world/index.ts';

/** A caller with access to some phones of this network: those that it created, and those that its own sessions are linked to. */
export interface Guest {
  readonly name: string;
  readonly sessions: readonly string[];
}

/** Which guest created which phone. Stored in the network, because it outlives the guests' processes. */
const CREATORS_SCOPE = 'brought-by';

/** A phone stays with the guest that created it. */
export function recordCreator(world: Pick<World, 'vault'>, phone: PhoneNumber, name: string): void {
  if (!world.vault.read(CREATORS_SCOPE, phone)) world.vault.write(CREATORS_SCOPE, phone, Buffer.from(name));
}

/** Without a guest the caller is the operator of the network, who has access to every phone. */
export function canAccess(world: World, guest: Guest | undefined, phone: PhoneNumber): boolean {
  if (!guest) return true;
  const creator = world.vault.read(CREATORS_SCOPE, phone);
  if (creator && Buffer.from(creator).toString() === guest.name) return true;
  return guest.sessions.some((sessionId) => world.devices.get(sessionId)?.phone === phone);
}

export const phonesOf = (world: World, guest: Guest | undefined) =>
  world.phones.list().filter(({ phone }) => canAccess(world, guest, phone));
