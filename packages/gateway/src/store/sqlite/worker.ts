import { parentPort, workerData } from 'node:worker_threads';
import { createBoxOpener } from '#kernel';
import { StoreError } from '../errors.ts';
import type { SqlValue } from '../types.ts';
import { assertUndamaged, commitDurably, createStatementCache, openDatabase } from './database.ts';
import { sqliteFailure } from './failures.ts';
import { createBatchWriter, createReadings, loadCommands, loadReadings } from './handlers.ts';
import { createMemories } from './memory.ts';
import {
  OPENING,
  type PlainError,
  packRows,
  type Questions,
  type Reply,
  type Request,
  type ThreadData,
} from './protocol.ts';

/** A database thread: holds the only connection of its role, and answers one question after the other. */
if (!parentPort) throw new TypeError('This file is the entry of a worker thread.');
const port = parentPort;

try {
  const answer = await open(workerData);
  port.on('message', (request: Request) => {
    respond(request, answer);
    if (request.kind === 'close') port.close();
  });
  reply({ id: OPENING, answer: undefined });
} catch (error) {
  reply({ id: OPENING, error: plain(error) });
}

async function open(data: ThreadData): Promise<(request: Request) => unknown> {
  const db = openDatabase(data);
  assertUndamaged(db, data.path, data.checkedUpToBytes);
  const prepare = createStatementCache(db);
  const memories = createMemories();
  const writeBatch = createBatchWriter(db, await loadCommands(data.commandModules), memories);
  const boxes = createBoxOpener(data.masterKeys);
  const answerReading = createReadings(db, await loadReadings(data.readingModules), boxes);

  function query({ sql, parameters }: Questions['query']['ask']): Questions['query']['answer'] {
    const { statement, columns } = prepare(sql);
    // SQLite itself refuses what it cannot bind.
    const values = parameters as SqlValue[];
    if (columns.names.length === 0) return { changes: Number(statement.run(...values).changes) };
    // It was told to answer with arrays, which its type does not know of.
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
      case 'close':
        return db.close();
    }
  };
}

function respond(request: Request, answer: (request: Request) => unknown): void {
  const { id } = request;
  let response: Reply;
  try {
    response = { id, answer: answer(request) };
  } catch (error) {
    response = { id, error: plain(error) };
  }
  try {
    reply(response);
  } catch {
    // The batch is committed already: any other code would have it written again.
    const message = 'A command gave results that are not plain data, so they cannot be told.';
    reply({ id, error: { code: 'commit_unknown', message } });
  }
}

function reply(message: Reply): void {
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
