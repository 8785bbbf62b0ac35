import type { Clock } from '#kernel';
import type { Store } from '#store';
import type { Directory } from './directory.ts';

const WRITE_EVERY_MS = 60_000;

/** Keeps `last_used_at` of keys, once a minute for all keys together: a write per request would cost more than the request. */
export function recordKeyUses({
  store,
  clock,
  directory,
}: {
  store: Store;
  clock: Clock;
  directory: Directory;
}): { stop(): Promise<void> } {
  let timer = clock.after(WRITE_EVERY_MS, tick);

  function tick(): void {
    write()
      .catch(() => {
        // The next minute's uses will be written; a last use that is a minute old is no harm.
      })
      .finally(() => {
        timer = clock.after(WRITE_EVERY_MS, tick);
      });
  }

  async function write(): Promise<void> {
    const uses = directory.takeKeyUses();
    if (uses.size === 0) return;
    await store.transaction(async (trx) => {
      for (const [keyId, at] of uses) {
        await trx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', keyId).execute();
      }
    });
  }

  return {
    async stop() {
      timer.cancel();
      await write().catch(() => {});
    },
  };
}
