import { type Clock, createSealedBox, type Random, type SealedBox } from '#kernel';
import type { Store } from '#platform/store';
import { findDataKey, insertDataKey } from './account-queries.ts';

/**
 * The data key of each account seals everything that is kept for it longer than a delivery. It is created on first use, and sealed
 * under the master key: a copy of the database reveals nothing, and the data of one account does not open with the key of another.
 */
export interface DataKeys {
  of(accountId: string): Promise<Uint8Array>;
  /** Seals and opens what belongs to this account. */
  boxOf(accountId: string): Promise<SealedBox>;
}

interface DataKey {
  readonly bytes: Uint8Array;
  readonly box: SealedBox;
}

const KEY_BYTES = 32;
const MOST_REMEMBERED = 10_000;

export function createDataKeys({
  store,
  sealedBox,
  random,
  clock,
}: {
  store: Pick<Store, 'read' | 'transaction'>;
  sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  random: Pick<Random, 'bytes'>;
  clock: Pick<Clock, 'now'>;
}): DataKeys {
  const known = new Map<string, Promise<DataKey>>();

  async function obtain(accountId: string): Promise<DataKey> {
    const sealed = (await findDataKey(store.read, accountId)) ?? (await make(accountId));
    const bytes = sealedBox.open(sealed, contextOfDataKey(accountId));
    return { bytes, box: createSealedBox({ masterKeys: [bytes], random }) };
  }

  /** Another process may be faster; then its key holds. */
  async function make(accountId: string): Promise<Uint8Array> {
    const sealed = sealedBox.seal(random.bytes(KEY_BYTES), contextOfDataKey(accountId));
    const row = { account_id: accountId, sealed, created_at: clock.now() };
    return store.transaction((trx) => insertDataKey(trx, row));
  }

  async function keyOf(accountId: string): Promise<DataKey> {
    const key = known.get(accountId) ?? obtain(accountId);
    known.set(accountId, key);
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    try {
      return await key;
    } catch (error) {
      known.delete(accountId);
      throw error;
    }
  }

  return {
    of: async (accountId) => (await keyOf(accountId)).bytes,
    boxOf: async (accountId) => (await keyOf(accountId)).box,
  };
}

export function contextOfDataKey(accountId: string): string {
  return `data key ${accountId}`;
}
