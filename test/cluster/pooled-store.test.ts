import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSchemaState } from '../../packages/gateway/src/platform/store/schema/migrate.ts';
import { describeGroupCommit } from '../../packages/gateway/src/platform/store/testing/conformance/group-commit.ts';
import { createHarness } from '../../packages/gateway/src/platform/store/testing/conformance/harness.ts';
import { describeReadings } from '../../packages/gateway/src/platform/store/testing/conformance/readings.ts';
import { describeTransactions } from '../../packages/gateway/src/platform/store/testing/conformance/transactions.ts';
import {
  note,
  writeNote,
} from '../../packages/gateway/src/platform/store/testing/conformance/write-commands.ts';
import {
  createPostgresDatabase,
  requirePostgres,
} from '../../packages/gateway/src/platform/store/testing/index.ts';
import type { Command } from '../../packages/gateway/src/platform/store/types.ts';
import { type Pooler, startPgBouncer } from '../services/pgbouncer.ts';

const server = requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL);
let pooler: Pooler;

beforeAll(async () => {
  pooler = await startPgBouncer(server);
});
afterAll(() => pooler?.stop());

const LIMITS = sql<{ limits: string }>`select concat_ws(' ', current_setting('synchronous_commit'),
  current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout')) as limits`;

describe('PostgreSQL behind PgBouncer in transaction mode', () => {
  const harness = createHarness({
    async createDatabase() {
      const database = await createPostgresDatabase(server);
      return { ...database, url: pooler.before(database.url) };
    },
    async countCommits(_database, store) {
      const transactions = sql<{ count: number }>`select count(distinct xmin::text) as count from note`;
      return (await transactions.execute(store.read)).rows[0]?.count ?? 0;
    },
  });
  describeTransactions(harness);
  describeGroupCommit(harness);
  describeReadings(harness);

  it('limits every transaction and every read, and leaves no limits on the connection', async () => {
    const store = await harness.open();
    const { rows: writing } = await store.transaction((trx) => LIMITS.execute(trx));
    expect(writing).toEqual([{ limits: expect.stringMatching(/^on 5s [1-9]/) }]);
    const { rows: reading } = await LIMITS.execute(store.read);
    expect(reading).toEqual([{ limits: 'on 5s 0' }]);
    expect(await store.run(settingsAndStatements, null)).toEqual({ seqscan: 'off', statements: 0 });
    await store.run(writeNote, note(1));
    expect(await store.run(settingsAndStatements, null)).toEqual({ seqscan: 'off', statements: 0 });
  });

  it('reports the setting to change where the address does not name the pooler, whether it refuses settings or ignores them', async () => {
    const withoutPoolerHint = (url: string): string => url.replace(/\?pooler=transaction$/, '');
    const refused = {
      code: 'pooler_untold',
      message: expect.stringMatching(
        /^What answers at 127\.0\.0\.1:\d+ is a pooler, .* add \?pooler=transaction /,
      ),
    };
    const url = withoutPoolerHint(harness.database.url);
    await expect(harness.open({ url })).rejects.toMatchObject(refused);
    await expect(readSchemaState(url, [])).rejects.toMatchObject(refused);

    const ignoring = await startPgBouncer(server, 'options', 'statement_timeout');
    try {
      const ignored = withoutPoolerHint(ignoring.before(harness.database.url));
      await expect(harness.open({ url: withoutPoolerHint(ignored) })).rejects.toMatchObject(refused);
    } finally {
      await ignoring.stop();
    }
  });
});

/** Settings of a batch's transaction, and prepared statements of its pooled session. */
const settingsAndStatements: Command<null, unknown> = {
  name: 'test.settings-and-statements',
  sqlite: () => (items) => items,
  async postgres(client, items) {
    const text = `select current_setting('enable_seqscan') as seqscan, (select count(*) from pg_prepared_statements) as statements`;
    const { rows } = await client.query({ name: 'test_settings', text }, []);
    return items.map(() => rows[0]);
  },
};
