import { initAuthCreds } from 'baileys';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import type { TestStore } from '#testing';
import {
  type ArrivalDraft,
  createLinkStore,
  createRecordCache,
  openVault,
  storeLink,
  type Vault,
  type VaultDependencies,
} from '../vault/index.ts';

/** Commands that a test database needs for vaults. */
export const vaultCommands = [new URL('../vault/write-commands.ts', import.meta.url)];

export interface Owner {
  readonly vault: Vault;
  /** All of them, and how often the owner was called for them. */
  readonly arrived: ArrivalDraft[];
  calls(): number;
  readonly broken: unknown[];
  copies(): number;
}

/** Vaults on a test database with a fixed clock. */
export class TestVaults {
  readonly clock = createSteppedClock();
  readonly parts: VaultDependencies;

  constructor({ store }: Pick<TestStore, 'store'>) {
    this.parts = {
      store,
      links: createLinkStore(store),
      sealedBox: createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom }),
      clock: this.clock,
      cache: createRecordCache({ limit: 1_000_000 }),
    };
  }

  async newLink(linkId: string): Promise<void> {
    await storeLink(this.parts, linkId, initAuthCreds());
  }

  async ownerOf(linkId: string, fence = 1, using = this.parts): Promise<Owner> {
    const arrived: ArrivalDraft[] = [];
    const broken: unknown[] = [];
    let copies = 0;
    let calls = 0;
    const vault = await openVault(using, {
      linkId,
      fence,
      onArrivals(arrivals) {
        calls += 1;
        arrived.push(...arrivals);
      },
      onCopies: () => {
        copies += 1;
      },
      onBroken: (error) => broken.push(error),
    });
    return { vault, arrived, calls: () => calls, copies: () => copies, broken };
  }

  /** A store whose first writes wait for these promises. */
  writingAfter(...moments: Promise<void>[]): VaultDependencies {
    const { store } = this.parts;
    return {
      ...this.parts,
      store: {
        ...store,
        async run(command, item) {
          const moment = moments.shift();
          if (moment) await moment;
          return store.run(command, item);
        },
      },
    };
  }

  /** A store that counts writes. */
  counting(): { using: VaultDependencies; writes(): number } {
    const { store } = this.parts;
    let writes = 0;
    return {
      writes: () => writes,
      using: {
        ...this.parts,
        store: {
          ...store,
          run(command, item) {
            writes += 1;
            return store.run(command, item);
          },
        },
      },
    };
  }
}

export function draft(digest: string, eventKey: string | null, seq = 1): ArrivalDraft {
  return { digest, eventKey, seq, value: { text: `value of ${digest}` } };
}
