import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Store } from '#platform/store';

/** SQLite lets one write after the other anyway. */
export async function untilLockWaiter({ read, dialect }: Pick<Store, 'read' | 'dialect'>): Promise<void> {
  if (dialect === 'sqlite') return;
  const waiting = sql`select 1 from pg_locks where not granted`;
  await vi.waitFor(
    async () => {
      if ((await waiting.execute(read)).rows.length === 0) throw new Error('No write waits for another.');
    },
    { timeout: 5_000 },
  );
}
