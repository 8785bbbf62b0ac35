import type { PhoneNumber, World } from '../world/index.ts';

/** Somebody who has some of the phones of this network: those that they brought, and those that their own sessions are linked to. */
export interface Guest {
  readonly name: string;
  readonly sessions: readonly string[];
}

/** Who brought which phone. Part of the network's memory: it outlives everybody's processes. */
const DRAWER = 'brought-by';

/** Once a phone has been brought it stays with whoever brought it. */
export function rememberBringer(world: Pick<World, 'vault'>, phone: PhoneNumber, name: string): void {
  if (!world.vault.read(DRAWER, phone)) world.vault.write(DRAWER, phone, Buffer.from(name));
}

/** Without a guest it is whoever runs the network who asks, and has everything. */
export function has(world: World, guest: Guest | undefined, phone: PhoneNumber): boolean {
  if (!guest) return true;
  const bringer = world.vault.read(DRAWER, phone);
  if (bringer && Buffer.from(bringer).toString() === guest.name) return true;
  return guest.sessions.some((sessionId) => world.devices.get(sessionId)?.phone === phone);
}

export const phonesOf = (world: World, guest: Guest | undefined) =>
  world.phones.list().filter(({ phone }) => has(world, guest, phone));
