import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Account, AccountExport, AuditLog } from '@parley/contract';
import { ADA, FILL, kill, OPERATED, operate, signIn } from './account-owner.ts';
import { newFolder } from './environment.ts';
import { clock, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

/** Enough for neither to finish before the kill. */
const ROWS = 100_000;

export const accountLifeCases: Cases = {
  async 'an export and the erasure of an account resume after a kill -9, complete, and happen once'() {
    const dataDir = newFolder();
    const first = await startParley({ dataDir, env: OPERATED });
    await first.ready();
    const { account_id: accountId } = await operate<Account>(first, 'POST', '/accounts', ADA);
    await kill(first);
    withDatabase(dataDir, (db) => db.prepare(FILL.sqlite).run(accountId, ROWS));

    const exporting = await startParley({ dataDir, env: OPERATED });
    await exporting.ready();
    await (await signIn(exporting)).json('POST', '/exports', {});
    await exporting.until(() => withDatabase(dataDir, (db) => stepsDone(db) > 0));
    await kill(exporting);
    withDatabase(dataDir, (db) =>
      assert.equal(one(db, 'SELECT state AS value FROM account_exports'), 'waiting', 'it was over already'),
    );

    const resumed = await startParley({ dataDir, env: OPERATED });
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
    // The end of the directory, and its missing comment.
    assert.equal(archive.readUInt32LE(archive.length - 22), 0x06054b50);
    const kept = `SELECT count(*) AS value FROM media WHERE expires_at > ${clock.now()}`;
    withDatabase(dataDir, (db) => assert.equal(one(db, kept), 1, 'its pieces are over'));

    await operate(resumed, 'DELETE', `/accounts/${accountId}?now=true`);
    await kill(resumed);
    const erasing = await startParley({ dataDir, env: OPERATED });
    await erasing.until(() => withDatabase(dataDir, (db) => rowsLeft(db) < ROWS));
    await kill(erasing);
    withDatabase(dataDir, (db) => assert.ok(rowsLeft(db) > 0, 'it was over already'));
    const last = await startParley({ dataDir, env: OPERATED });
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

function one(db: DatabaseSync, sql: string): unknown {
  return db.prepare(sql).get()?.value;
}

const stepsDone = (db: DatabaseSync): number =>
  Number(one(db, 'SELECT max(steps_done) AS value FROM account_exports'));
const rowsLeft = (db: DatabaseSync): number => Number(one(db, 'SELECT count(*) AS value FROM api_requests'));
