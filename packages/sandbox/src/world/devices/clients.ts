import type { Vault } from '../world.ts';
import type { Clients } from './types.ts';

const SCOPE = 'clients';
const KEY = 'versions';

export function createClients(vault: Vault): Clients {
  return {
    versions() {
      const kept = vault.read(SCOPE, KEY);
      return kept ? JSON.parse(Buffer.from(kept).toString()) : {};
    },
    demand(versions) {
      vault.write(SCOPE, KEY, Buffer.from(JSON.stringify(versions)));
    },
  };
}
