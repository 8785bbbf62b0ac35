import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { useStore } from '#testing';
import { acceptMessage } from './accept-command.ts';
import { commandModules, itemOf, newNumber, START } from './test/rows.ts';

/** PostgreSQL keeps the plan of a prepared statement for as long as its connection lives, however its tables grow. */
describe('the plans for accepting', () => {
  const test = useStore('PostgreSQL', 'shared by all tests', commandModules);

  async function countsOfKeys(): Promise<{ inserted: number; wholeReads: number }> {
    const { rows } = await sql<{ inserted: number; wholeReads: number }>`
      SELECT n_tup_ins AS inserted, seq_scan AS "wholeReads" FROM pg_stat_user_tables
      WHERE relid = 'idempotency_keys'::regclass`.execute(test.store.read);
    return rows[0] ?? { inserted: 0, wholeReads: 0 };
  }

  it('never read all keys, not even while these are so few that it would be quicker', async () => {
    const number = await newNumber(test.store);
    await test.store.transaction(async (trx) => {
      await sql`INSERT INTO idempotency_keys (account_id, key, request_hash, message_id, created_at)
        SELECT 'acc_' || n, 'old', '', 'm' || n, ${START} FROM generate_series(1, 300) AS n`.execute(trx);
      await sql`ANALYZE idempotency_keys`.execute(trx);
    });
    for (let each = 0; each < 3; each++) await test.store.run(acceptMessage, itemOf(number));
    const countedAfter = (before: number) =>
      vi.waitFor(
        async () => {
          const counts = await countsOfKeys();
          expect(counts.inserted).toBeGreaterThanOrEqual(before);
          return counts;
        },
        // The server counts with a delay, of ten seconds at most.
        { timeout: 28_000, interval: 100 },
      );
    const before = await countedAfter(303);
    for (let each = 0; each < 2; each++) await test.store.run(acceptMessage, itemOf(number));
    const after = await countedAfter(before.inserted + 2);
    expect(after.wholeReads).toBe(before.wholeReads);
  });
});
