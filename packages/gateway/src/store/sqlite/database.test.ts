import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { openDatabase } from './database.ts';

/** Takes the write lock of a new file, says so, and lets go of it a little later. */
const otherOpener = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const db = new DatabaseSync(workerData);
  db.exec('BEGIN IMMEDIATE');
  parentPort.postMessage('locked');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  db.exec('ROLLBACK');
  db.close();`;

it('waits for another process that is making the same new file, where SQLite itself would give up at once', async () => {
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
