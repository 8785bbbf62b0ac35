import type { Clock, Random, SealedBox } from '#kernel';
import type { Store } from '#store';
import { findAccountKey, insertAccountKey } from './store.ts';

/**
 * The own key of each account, which all is sealed with that is kept for it beyond a delivery: without it, nothing of that can be read any
 * more. It is made when it is first needed, and itself sealed under the master key.
 */
export interface DataKeys {
  of(accountId: string): Promise<Uint8Array>;
}

const KEY_BYTES = 32;
const REMEMBERED_MAX = 10_000;

export function createDataKeys({
  store,
  sealedBox,
  random,
  clock,
}: {
  store: Store;
  sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  random: Pick<Random, 'bytes'>;
  clock: Pick<Clock, 'now'>;
}): DataKeys {
  const known = new Map<string, Promise<Uint8Array>>();

  async function load(accountId: string): Promise<Uint8Array> {
    const context = `account key ${accountId}`;
    const row =
      (await findAccountKey(store.read, accountId)) ??
      (await store.transaction(async (trx) => {
        const sealed = sealedBox.seal(random.bytes(KEY_BYTES), context);
        await insertAccountKey(trx, { account_id: accountId, sealed, made_at: clock.now() });
        // Another process may have been first.
        return findAccountKey(trx, accountId);
      }));
    if (!row) throw new Error('the key of an account could not be kept');
    return sealedBox.open(row.sealed, context);
  }

  return {
    of(accountId) {
      const remembered = known.get(accountId);
      if (remembered) return remembered;
      if (known.size >= REMEMBERED_MAX) known.clear();
      const loading = load(accountId);
      known.set(accountId, loading);
      loading.catch(() => known.delete(accountId));
      return loading;
    },
  };
}
