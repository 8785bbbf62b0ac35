import type { Vault } from '../../world/index.ts';

/** The vault as a piece of work sees it: with its own changes, which are kept all together or not at all. */
export interface Drawer {
  read(scope: string, key: string): Uint8Array | undefined;
  write(scope: string, key: string, value: Uint8Array): void;
  /** Done when the changes are kept, in the same transaction. */
  alongside(write: () => void): void;
}

export interface OpenDrawer extends Drawer {
  /** Only inside a transaction. */
  close(): void;
}

export function openDrawer(vault: Vault): OpenDrawer {
  const changed = new Map<string, { scope: string; key: string; value: Uint8Array }>();
  const afterwards: (() => void)[] = [];
  return {
    read: (scope, key) => changed.get(`${scope}/${key}`)?.value ?? vault.read(scope, key),
    write: (scope, key, value) => void changed.set(`${scope}/${key}`, { scope, key, value }),
    alongside: (write) => void afterwards.push(write),
    close() {
      for (const { scope, key, value } of changed.values()) vault.write(scope, key, value);
      for (const write of afterwards) write();
    },
  };
}
