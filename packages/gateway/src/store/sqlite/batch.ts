import type { DatabaseSync } from 'node:sqlite';
import { assertOneOutputPerItem, commandFailure } from '../command-failure.ts';
import { StoreError } from '../errors.ts';
import type { AnyCommand, SqliteSession } from '../types.ts';
import { commitDurably } from './database.ts';
import { sqliteFailure } from './failures.ts';
import type { Memories } from './memory.ts';
import type { NamedGroup } from './protocol.ts';

type Handler = (items: never[]) => unknown[];

function unpacking({ packing }: AnyCommand, handle: Handler): Handler {
  if (!packing) return handle;
  // What was packed by a command is unpacked by the same one.
  return (items) => handle(items.map(packing.unpack) as never[]);
}

/** Writes batches inside the writer thread, each in one transaction: all of it or nothing. */
export function createBatchWriter(
  db: DatabaseSync,
  commands: ReadonlyMap<string, AnyCommand>,
  memories: Memories,
): (groups: readonly NamedGroup[]) => unknown[][] {
  const handlers = new Map<string, Handler>();
  const begin = db.prepare('BEGIN IMMEDIATE');
  const session: SqliteSession = {
    // The rows that a statement returns have the shape that the command's author claims by its type.
    prepare: (db as Pick<SqliteSession, 'prepare'>).prepare.bind(db),
    memory: memories.of,
  };

  function handlerOf(name: string): Handler {
    const known = handlers.get(name);
    if (known) return known;
    const command = commands.get(name);
    if (!command) throw new StoreError('unknown_command', `No command module has the command ${name}.`);
    const handler = unpacking(command, command.sqlite(session));
    handlers.set(name, handler);
    return handler;
  }

  function runGroup({ command, items }: NamedGroup): unknown[] {
    try {
      // The caller handed the items in together with this very command.
      const outputs = handlerOf(command)(items as never[]);
      assertOneOutputPerItem(command, items, outputs);
      return outputs;
    } catch (error) {
      throw sqliteFailure(error) ?? commandFailure(command, error);
    }
  }

  return (groups) => {
    try {
      begin.run();
      const outputs = groups.map(runGroup);
      commitDurably(db);
      return outputs;
    } catch (error) {
      memories.forget();
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}
