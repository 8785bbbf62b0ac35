import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Account, AccountExport, AuditLog } from '@parley/contract';
import { clock, type Parley, startParley, WITHOUT_DEMO } from './parley.ts';
import type { Cases } from './run-cases.ts';
import { newFolder } from './surroundings.ts';

const TOKEN = 'token-of-the-operator';
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
/** So many that neither is over before it is killed. */
const ROWS = 100_000;
const ENV = { ...WITHOUT_DEMO, PARLEY_OPERATOR_TOKEN: TOKEN };

export const accountLifeCases: Cases = {
  async 'an export and the erasure of an account go on after a kill -9, end whole, and happen once'() {
    const dataDir = newFolder();
    const first = await startParley({ dataDir, env: ENV });
    await first.ready();
    const given = { name: 'Ada', email: EMAIL, password: PASSWORD };
    const { account_id: accountId } = await operate<Account>(first, 'POST', '/accounts', given);
    await kill(first);
    withDatabase(dataDir, (db) => fill(db, accountId));

    const exporting = await startParley({ dataDir, env: ENV });
    await exporting.ready();
    await (await signIn(exporting)).json('POST', '/exports', {});
    await exporting.until(() => withDatabase(dataDir, (db) => stepsDone(db) > 0));
    await kill(exporting);
    withDatabase(dataDir, (db) => {
      assert.equal(one(db, 'SELECT state AS value FROM account_exports'), 'waiting', 'it was over already');
      // The time of whoever died over it is over.
      db.exec('UPDATE account_exports SET taken_until = 0');
    });

    const resumed = await startParley({ dataDir, env: ENV });
    await resumed.ready();
    const asOwner = await signIn(resumed);
    let made: AccountExport | undefined;
    await resumed.until(async () => {
      [made] = (await asOwner.json<{ exports: AccountExport[] }>('GET', '/exports')).exports;
      return made?.status !== 'preparing';
    });
    assert.equal(made?.status, 'ready');
    assert.ok(made.rows >= ROWS, `${made.rows} rows`);
    const archive = await asOwner.download(`/exports/${made.export_id}/archive`);
    assert.equal(archive.length, made.size);
    // The end of the directory, and the comment that it does not have.
    assert.equal(archive.readUInt32LE(archive.length - 22), 0x06054b50);
    withDatabase(dataDir, (db) => assert.equal(one(db, 'SELECT count(*) AS value FROM media'), 1));

    await operate(resumed, 'DELETE', `/accounts/${accountId}?now=true`);
    await kill(resumed);
    const erasing = await startParley({ dataDir, env: ENV });
    await erasing.until(() => withDatabase(dataDir, (db) => rowsLeft(db) < ROWS));
    await kill(erasing);
    withDatabase(dataDir, (db) => assert.ok(rowsLeft(db) > 0, 'it was over already'));
    const last = await startParley({ dataDir, env: ENV });
    await last.ready();
    let actions: string[] = [];
    await last.until(async () => {
      const { entries } = await operate<AuditLog>(last, 'GET', '/audit?limit=50');
      actions = entries.map(({ action }) => action);
      return actions.includes('account.erased');
    });
    assert.equal(actions.filter((action) => action === 'account.erased').length, 1);
    withDatabase(dataDir, (db) => {
      assert.equal(rowsLeft(db), 0);
      assert.equal(one(db, 'SELECT count(*) AS value FROM media'), 0);
    });
  },
};

function withDatabase<T>(dataDir: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dataDir, 'parley.db'), { timeout: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Requests that it has made. */
function fill(db: DatabaseSync, accountId: string): void {
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO api_requests (account_id, key_id, at, method, path, status, duration_ms, request_id)
     SELECT ?, 'key_1', ?, 'GET', '/v1/sessions', 200, 1, 'req_' || i FROM n`,
  ).run(ROWS, accountId, clock.now());
}

function one(db: DatabaseSync, sql: string): unknown {
  return db.prepare(sql).get()?.value;
}

const stepsDone = (db: DatabaseSync): number =>
  Number(one(db, 'SELECT max(steps_done) AS value FROM account_exports'));
const rowsLeft = (db: DatabaseSync): number => Number(one(db, 'SELECT count(*) AS value FROM api_requests'));

async function kill(parley: Parley): Promise<void> {
  parley.kill('SIGKILL');
  await assert.rejects(parley.ended());
}

async function operate<T>(parley: Parley, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return jsonOf(await ask(`${parley.url}/operator/v1${path}`, method, headers, body));
}

async function signIn(parley: Parley) {
  const headers = { 'x-parley-portal': '1', 'content-type': 'application/json' };
  const address = `${parley.url}/portal/api`;
  const { cookies } = await ask(`${address}/sign-in`, 'POST', headers, { email: EMAIL, password: PASSWORD });
  const asOwner = (method: string, path: string, body?: object) =>
    ask(address + path, method, { ...headers, cookie: cookies.join('; ') }, body);
  return {
    json: async <T>(method: string, path: string, body?: object): Promise<T> =>
      jsonOf(await asOwner(method, path, body)),
    download: async (path: string): Promise<Buffer> => (await asOwner('GET', path)).bytes,
  };
}

interface Answer {
  readonly bytes: Buffer;
  readonly cookies: readonly string[];
}

async function ask(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.ok(answer.ok, bytes.toString());
  return { bytes, cookies: answer.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '') };
}

const jsonOf = ({ bytes }: Answer) => JSON.parse(bytes.toString() || 'null');
