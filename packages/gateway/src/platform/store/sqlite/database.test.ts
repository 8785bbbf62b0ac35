import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { StoreError } from '../errors.ts';
import { migrations } from '../migrations/index.ts';
import { openStore } from '../open.ts';
import { createSqliteDatabase } from '../testing/index.ts';
import { openDatabase } from './database.ts';

/** Takes the write lock of a new file, reports it, and releases it a little later. */
const otherOpener = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const db = new DatabaseSync(workerData);
  db.exec('BEGIN IMMEDIATE');
  parentPort.postMessage('locked');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  db.exec('ROLLBACK');
  db.close();`;

it('waits for another process that creates the same file, where SQLite itself would fail at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const path = join(folder, 'parley.db');
  const other = new Worker(otherOpener, { eval: true, workerData: path });
  const ended = once(other, 'exit');
  try {
    await once(other, 'message');
    const db = openDatabase({ path, role: 'writer' });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    db.close();
  } finally {
    await ended;
    rmSync(folder, { recursive: true });
  }
});

it('refuses a file with damaged pages, unless a check of all of it would take too long', async () => {
  const { url, drop } = await createSqliteDatabase();
  const path = url.slice('sqlite:'.length);
  const options = { url, commandModules: [], migrations, clock: createSystemClock() };
  try {
    await (await openStore(options)).close();
    const file = openSync(path, 'r+');
    for (let page = 5; page < 15; page++) writeSync(file, randomBytes(512), 0, 512, page * 4_096);
    closeSync(file);
    await expect(openStore(options)).rejects.toThrow(
      new StoreError('damaged', `The database ${path} has damaged pages; restore it from your backup.`),
    );
    await (await openStore({ ...options, checkedUpToBytes: 4_096 })).close();
  } finally {
    await drop();
  }
});
