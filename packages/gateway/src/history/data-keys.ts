import { type Clock, createSealedBox, type Random, type SealedBox } from '#kernel';
import type { Store } from '#store';
import { findDataKey, insertDataKey } from './store.ts';

/**
 * The key of each account, under which what it keeps is sealed. Made when it is needed for the first time, and itself sealed under the
 * master key: a copy of the database tells nothing, and what one account keeps cannot be opened with the key of another.
 */
export interface DataKeys {
  /** Seals and opens what belongs to this account. */
  boxOf(accountId: string): Promise<SealedBox>;
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
  const known = new Map<string, Promise<SealedBox>>();

  async function obtain(accountId: string): Promise<SealedBox> {
    const sealed = (await findDataKey(store.read, accountId)) ?? (await make(accountId));
    const key = sealedBox.open(sealed, contextOf(accountId));
    return createSealedBox({ masterKeys: [key], random });
  }

  /** Another process may be faster; then its key holds. */
  async function make(accountId: string): Promise<Uint8Array> {
    const sealed = sealedBox.seal(random.bytes(KEY_BYTES), contextOf(accountId));
    const row = { account_id: accountId, sealed, created_at: clock.now() };
    return store.transaction((trx) => insertDataKey(trx, row));
  }

  return {
    async boxOf(accountId) {
      const box = known.get(accountId) ?? obtain(accountId);
      known.set(accountId, box);
      const [oldest] = known.keys();
      if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
      try {
        return await box;
      } catch (error) {
        known.delete(accountId);
        throw error;
      }
    },
  };
}

function contextOf(accountId: string): string {
  return `data key ${accountId}`;
}
