import type { Vault } from '../../world/index.ts';

/** The vault within one unit of work: with its own changes, which are stored all together or not at all. */
export interface VaultView {
  read(scope: string, key: string): Uint8Array | undefined;
  write(scope: string, key: string, value: Uint8Array): void;
  /** Runs in the transaction that stores the changes. */
  inSameTransaction(write: () => void): void;
}

export interface VaultChanges extends VaultView {
  /** Only inside a transaction. */
  close(): void;
}

export function openVaultChanges(vault: Vault): VaultChanges {
  const changed = new Map<string, { scope: string; key: string; value: Uint8Array }>();
  const afterwards: (() => void)[] = [];
  return {
    read: (scope, key) => changed.get(`${scope}/${key}`)?.value ?? vault.read(scope, key),
    write: (scope, key, value) => void changed.set(`${scope}/${key}`, { scope, key, value }),
    inSameTransaction: (write) => void afterwards.push(write),
    close() {
      for (const { scope, key, value } of changed.values()) vault.write(scope, key, value);
      for (const write of afterwards) write();
    },
  };
}
