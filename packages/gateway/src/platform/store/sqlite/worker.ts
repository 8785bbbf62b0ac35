import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import {
  collectGarbageWhenIdle,
  createBoxOpener,
  createSystemClock,
  neverRejects,
  type PeriodicJob,
} from '#kernel';
import { StoreError } from '../errors.ts';
import type { SqlValue } from '../types.ts';
import { assertUndamaged, commitDurably, createStatementCache, openDatabase } from './database.ts';
import { sqliteFailure } from './failures.ts';
import {
  createBatchWriter,
  createMemoryUsage,
  createReadings,
  loadCommands,
  loadReadings,
} from './handlers.ts';
import {
  isNotPlain,
  OPENING,
  type PlainError,
  packRows,
  type Questions,
  type Reply,
  type Request,
  type ThreadData,
} from './protocol.ts';
import { createWriteLock, type LockWaiter } from './write-lock.ts';

/** A database thread: holds the only connection of its role, and answers requests of all threads one after the other. */
if (!parentPort) throw new TypeError('This file is the entry of a worker thread.');
const main = parentPort;
const ports = new Set([main]);
let idleGc: PeriodicJob | undefined;

neverRejects(serveAll());

async function serveAll(): Promise<void> {
  try {
    const db = openDatabase(workerData);
    const answer = await open(workerData, db);
    const turnstile = createWriteLock({
      answer,
      isInTransaction: () => db.isOpen && db.isTransaction,
      rollBack: () => db.exec('ROLLBACK'),
      heldAtMostMs: workerData.heldAtMostMs,
      clock: createSystemClock(),
    });
    const attend = (port: MessagePort): void => {
      const asker: LockWaiter = { answer: (request, make) => respond(port, request, make) };
      ports.add(port);
      port.on('message', (request: Request) => {
        if (request.kind === 'connect') attend(request.port);
        else if (request.kind === 'answer') reply(port, { id: request.id, answer: undefined });
        else turnstile.handle(asker, request);
      });
      port.on('close', () => {
        ports.delete(port);
        turnstile.forget(asker);
      });
    };
    attend(main);
    reply(main, { id: OPENING, answer: undefined });
    // This thread has no log, and a failed collection is repeated anyway.
    idleGc = collectGarbageWhenIdle({ clock: createSystemClock(), log: { debug() {}, error() {} } });
  } catch (error) {
    reply(main, { id: OPENING, error: plain(error) });
  }
}

async function open(data: ThreadData, db: DatabaseSync): Promise<(request: Request) => unknown> {
  assertUndamaged(db, data.path, data.checkedUpToBytes);
  const prepare = createStatementCache(db);
  const memories = createMemoryUsage();
  const boxes = createBoxOpener(data.masterKeys);
  const writeBatch = createBatchWriter(db, await loadCommands(data.commandModules), memories, boxes);
  const answerReading = createReadings(db, await loadReadings(data.readingModules), boxes);

  function query({ sql, parameters }: Questions['query']['ask']): Questions['query']['answer'] {
    const { statement, columns } = prepare(sql);
    // SQLite itself refuses values it cannot bind.
    const values = parameters as SqlValue[];
    if (columns.names.length === 0) return { changes: Number(statement.run(...values).changes) };
    // The statement was set to return arrays, which its type does not express.
    return packRows(statement.all(...values) as unknown as unknown[][], columns);
  }

  return (request) => {
    switch (request.kind) {
      case 'query':
        return query(request);
      case 'reading':
        return answerReading(request.name, request.input);
      case 'batch':
        return writeBatch(request.groups);
      case 'begin':
        memories.forget();
        return db.exec('BEGIN IMMEDIATE');
      case 'commit':
        return commitDurably(db);
      case 'rollback':
        return db.isTransaction ? db.exec('ROLLBACK') : undefined;
      case 'connect':
      case 'answer':
        return undefined;
      case 'close':
        // After the answer; open handles would keep the thread alive.
        queueMicrotask(end);
        return db.close();
    }
  };
}

function end(): void {
  if (idleGc) neverRejects(idleGc.stop());
  for (const port of ports) port.close();
}

function respond(port: MessagePort, request: Request, answer: () => unknown): void {
  const { id } = request;
  let response: Reply;
  try {
    response = { id, answer: answer() };
  } catch (error) {
    response = { id, error: plain(error) };
  }
  try {
    reply(port, response);
  } catch (error) {
    if (!isNotPlain(error)) throw error;
    // The batch is committed already: any other code would cause it to be written again.
    const message = 'A command gave results that are not plain data, so they cannot be returned.';
    reply(port, { id, error: { code: 'commit_unknown', message } });
  }
}

function reply(port: MessagePort, message: Reply): void {
  port.postMessage(message);
}

function plain(error: unknown): PlainError {
  const { code, message } = sqliteFailure(error) ?? unexpected(error);
  return { code, message };
}

function unexpected(error: unknown): StoreError {
  return new StoreError(
    'statement_failed',
    error instanceof Error ? error.message : 'The database thread failed.',
  );
}
