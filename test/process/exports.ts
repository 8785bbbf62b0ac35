import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Account, AccountExport } from '@parley/contract';
import pg from 'pg';
import { unzip } from '../../packages/gateway/src/offboarding/testing/unzip.ts';
import { createPostgresDatabase } from '../../packages/gateway/src/platform/store/testing/index.ts';
import { isNightly } from '../runner/nightly.ts';
import { startPostgres } from '../services/postgres.ts';
import { ADA, FILL, kill, OPERATED, operate, signIn } from './account-owner.ts';
import { newFolder } from './environment.ts';
import { clock, type Parley, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

/** Several parts of an archive, so that kills fall before the first of them, between them, and during the final step. */
const ROWS = 300_000;
const ROUNDS = isNightly ? 6 : 2;
const GOES_ON_WITHIN_MS = 30_000;
const PATIENCE_MS = 120_000;

interface Made {
  readonly state: string;
  readonly rows: number;
  readonly pieces: number;
}

export const exportCases: Cases = {
  async [`killed exports, ${ROUNDS} of ${ROUNDS}, resume within 30 seconds with everything written so far, and complete`]() {
    const dataDir = newFolder();
    let parley = await startParley({ dataDir, env: OPERATED });
    await parley.ready();
    const { account_id: accountId } = await operate<Account>(parley, 'POST', '/accounts', ADA);
    const db = new DatabaseSync(join(dataDir, 'parley.db'), { timeout: 5_000 });
    db.prepare(FILL.sqlite).run(accountId, ROWS);
    const look = async (): Promise<Made> => madeIn(db.prepare(NEWEST).get());
    const wentOnAfterMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await (await signIn(parley)).json('POST', '/exports', {});
      await until('a piece', look, ({ pieces }) => pieces >= round % 3);
      await kill(parley);
      const before = await look();
      assert.equal(before.state, 'waiting', 'it was over before it was killed');
      parley = await startParley({ dataDir, env: OPERATED });
      wentOnAfterMs.push(await goesOn(look, before));
      await parley.ready();
      await endsWhole(parley, look);
    }
    db.close();
    await kill(parley);
    return `went on after at most ${(Math.max(...wentOnAfterMs) / 1_000).toFixed(1)} s`;
  },

  async 'an export of a killed process is resumed by another one on PostgreSQL within 30 seconds'() {
    const server = await startPostgres();
    const database = await createPostgresDatabase(server.url);
    const media = newFolder();
    const env = { ...OPERATED, PARLEY_DATABASE_URL: database.url, PARLEY_MEDIA_URL: `file:${media}` };
    const start = () => startParley({ dataDir: newFolder(), env: { ...env, PARLEY_MASTER_KEY } });
    const client = new pg.Client(database.url);
    await client.connect();
    const look = async (): Promise<Made> => madeIn((await client.query(NEWEST)).rows[0]);
    try {
      const first = await start();
      await first.ready();
      const { account_id: accountId } = await operate<Account>(first, 'POST', '/accounts', ADA);
      await client.query(FILL.postgres, [accountId, ROWS]);
      await (await signIn(first)).json('POST', '/exports', {});
      await until('a piece', look, ({ pieces }) => pieces > 0);
      const second = await start();
      await second.ready();
      const before = await look();
      assert.equal(before.state, 'waiting', 'it was over before it was killed');
      await kill(first);
      const afterMs = await goesOn(look, before);
      await endsWhole(second, look);
      await kill(second);
      return `after ${(afterMs / 1_000).toFixed(1)} s`;
    } finally {
      await client.end();
      await database.drop();
      await server.stop();
    }
  },
};

const PARLEY_MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const NEWEST = 'SELECT state, rows_written AS rows, pieces FROM account_exports ORDER BY id DESC LIMIT 1';

function madeIn(row: Record<string, unknown> | undefined): Made {
  const { pieces } = JSON.parse(String(row?.pieces ?? null)) ?? { pieces: [] };
  return { state: String(row?.state), rows: Number(row?.rows), pieces: pieces.length };
}

async function until<T>(what: string, look: () => Promise<T>, fits: (found: T) => boolean): Promise<T> {
  const giveUpAt = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (fits(found)) return found;
    assert.ok(clock.monotonic() < giveUpAt, `${what} did not come: ${JSON.stringify(found)}`);
    await clock.sleep(20);
  }
}

/** The time from the kill until there was more than before; never less. */
async function goesOn(look: () => Promise<Made>, before: Made): Promise<number> {
  const killedAt = clock.monotonic();
  const isMore = (now: Made): boolean => {
    assert.ok(now.rows >= before.rows && now.pieces >= before.pieces, 'what was made is lost');
    return now.rows > before.rows || now.pieces > before.pieces || now.state === 'ready';
  };
  await until('any more of it', look, isMore);
  const tookMs = clock.monotonic() - killedAt;
  assert.ok(tookMs < GOES_ON_WITHIN_MS, `it went on only after ${tookMs} ms`);
  return tookMs;
}

async function endsWhole(parley: Parley, look: () => Promise<Made>): Promise<void> {
  const { state } = await until('its end', look, (now) => now.state !== 'waiting');
  assert.equal(state, 'ready');
  const asOwner = await signIn(parley);
  const [made] = (await asOwner.json<{ exports: AccountExport[] }>('GET', '/exports')).exports;
  const files = unzip(await asOwner.download(`/exports/${made?.export_id}/archive`));
  const ids = files.get('api_requests.jsonl')?.match(/"request_id":"req_\d+"/g) ?? [];
  assert.deepEqual([ids.length, new Set(ids).size], [ROWS, ROWS]);
}
