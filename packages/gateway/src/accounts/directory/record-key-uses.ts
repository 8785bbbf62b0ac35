import type { Clock, Timer } from '#kernel';
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
  directory: Pick<Directory, 'takeKeyUses'>;
}): { stop(): Promise<void> } {
  let timer: Timer | undefined;
  let stopped = false;

  function writeLater(): void {
    if (stopped) return;
    timer = clock.after(WRITE_EVERY_MS, () => void write().then(writeLater));
  }

  async function write(): Promise<void> {
    const uses = directory.takeKeyUses();
    if (uses.size === 0) return;
    const written = store.transaction(async (trx) => {
      for (const [keyId, at] of uses) {
        await trx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', keyId).execute();
      }
    });
    await written.catch(() => {
      // The next minute's uses will be written; a last use that is a minute old is no harm.
    });
  }

  writeLater();
  return {
    async stop() {
      stopped = true;
      timer?.cancel();
      await write();
    },
  };
}
