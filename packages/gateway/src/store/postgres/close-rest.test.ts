import { expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { createPostgresDatabase, requirePostgres } from '#store/testing';
import { migrations } from '../migrations/index.ts';
import { closeLargeRest } from './close-rest.ts';
import { createPool } from './pool.ts';
import { prepareDatabase } from './prepare.ts';

const BEFORE_PARTS = 38;

it('messages from before there were parts become one that ends, with nothing lost, and weeks can be made behind it', async () => {
  const database = await createPostgresDatabase(requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL));
  const clock = createSystemClock();
  const prepare = (upTo: number): Promise<void> =>
    prepareDatabase(database.url, {
      migrations: migrations.filter(({ version }) => version <= upTo),
      clock,
    });
  await prepare(BEFORE_PARTS);
  const pool = createPool({ url: database.url, max: 1, log: undefined });
  try {
    const insert = `INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
      SELECT '3EB0' || lpad(upper(to_hex(i)), 18, '0'), 'acc', 'slot', 's', 'r', 't', 'text', 'read', 0, 0 FROM generate_series(`;
    await pool.query(`${insert}1, 500) AS i`);
    await prepare(Number.POSITIVE_INFINITY);
    const parts = async (): Promise<unknown[]> =>
      (
        await pool.query(
          `SELECT inhrelid::regclass::text AS name, pg_get_expr(relpartbound, inhrelid) ~ 'MINVALUE' AS first, conname IS NOT NULL AS "isHeldBack"
           FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid LEFT JOIN pg_constraint ON conrelid = inhrelid AND contype = 'c' WHERE inhparent = 'messages'::regclass ORDER BY 1`,
        )
      ).rows;
    // Not much: they stay where they are.
    expect(await parts()).toEqual([{ name: 'messages_rest', first: 0, isHeldBack: 0 }]);

    await closeLargeRest(pool, clock, undefined, 0);
    await closeLargeRest(pool, clock, undefined, 0);
    expect(await parts()).toEqual([
      { name: 'messages_before', first: 1, isHeldBack: 0 },
      { name: 'messages_rest', first: 0, isHeldBack: 0 },
    ]);
    await pool.query(`${insert}501, 510) AS i`);
    await pool.query(`UPDATE messages SET id = 'unheard of' WHERE id = $1`, [`3EB0${'0'.repeat(17)}1`]);
    const { rows } = await pool.query(
      'SELECT tableoid::regclass::text AS part, count(*) AS rows FROM messages GROUP BY 1 ORDER BY 1',
    );
    expect(rows).toEqual([
      { part: 'messages_before', rows: 509 },
      { part: 'messages_rest', rows: 1 },
    ]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
