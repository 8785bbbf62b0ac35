import type { DatabaseSync } from 'node:sqlite';
import type { BoxOpener } from '#kernel';
import { assertOneOutputPerItem, commandFailure, StoreError } from '../errors.ts';
import type {
  AnyCommand,
  AnyReading,
  CommandModule,
  ReadingModule,
  SqliteReadings,
  SqliteSession,
  SqliteStatement,
} from '../types.ts';
import { commitDurably } from './database.ts';
import { sqliteFailure } from './failures.ts';
import type { Memories } from './memory.ts';
import type { NamedGroup, Questions } from './protocol.ts';

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
  boxes: BoxOpener,
): (groups: readonly NamedGroup[]) => Questions['batch']['answer'] {
  const begin = db.prepare('BEGIN IMMEDIATE');
  let told: unknown[] = [];
  const session: SqliteSession = {
    // The rows that a statement returns have the shape that the command's author claims by its type.
    prepare: (db as Pick<SqliteSession, 'prepare'>).prepare.bind(db),
    memory: memories.of,
    tell: (news) => void told.push(news),
    boxes,
  };

  const handlerOf = onceByName((name): Handler => {
    const command = commands.get(name);
    if (!command) throw new StoreError('unknown_command', `No command module has the command ${name}.`);
    return unpacking(command, command.sqlite(session));
  });

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
      told = [];
      begin.run();
      const outputs = groups.map(runGroup);
      commitDurably(db);
      return { outputs, told };
    } catch (error) {
      memories.forget();
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}

type Answer = (input: never) => unknown;

/** Answers readings inside the reader thread. */
export function createReadings(
  db: DatabaseSync,
  readings: ReadonlyMap<string, AnyReading>,
  boxes: BoxOpener,
): (name: string, input: unknown) => unknown {
  const session: SqliteReadings = {
    prepare<Row>(sql: string) {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      // The rows have the shape that the reading's author claims by its type.
      return statement as unknown as SqliteStatement<Row>;
    },
  };

  const answerOf = onceByName((name): Answer => {
    const reading = readings.get(name);
    if (!reading) throw new StoreError('unknown_command', `No reading module has the reading ${name}.`);
    return reading.sqlite(session, boxes);
  });

  // One look at the file for the whole reading: by itself every statement would take its locks and forget all pages that the last one read.
  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  return (name, input) => {
    const answer = answerOf(name);
    begin.run();
    try {
      // The caller handed the input in together with this very reading.
      return answer(input as never);
    } finally {
      end.run();
    }
  };
}

/** Prepares its statements when a name is asked for the first time, and keeps them. */
function onceByName<Made>(make: (name: string) => Made): (name: string) => Made {
  const made = new Map<string, Made>();
  return (name) => {
    let known = made.get(name);
    if (known === undefined) {
      known = make(name);
      made.set(name, known);
    }
    return known;
  };
}

/** Imports the modules and finds each command by its name, which only one of them may use. */
export function loadCommands(modules: readonly string[]): Promise<Map<string, AnyCommand>> {
  return loadByName('commands', modules, ({ commands }: CommandModule) => commands);
}

/** The same for readings. */
export function loadReadings(modules: readonly string[]): Promise<Map<string, AnyReading>> {
  return loadByName('readings', modules, ({ readings }: ReadingModule) => readings);
}

async function loadByName<Module, Named extends { readonly name: string }>(
  what: string,
  modules: readonly string[],
  listOf: (module: Module) => readonly Named[],
): Promise<Map<string, Named>> {
  const byName = new Map<string, Named>();
  for (const url of modules) {
    const list: readonly Named[] | undefined = listOf(await import(url));
    if (!list) throw new TypeError(`${url} exports no list of ${what}.`);
    for (const named of list) {
      if (byName.has(named.name)) throw new TypeError(`Two ${what} are called ${named.name}.`);
      byName.set(named.name, named);
    }
  }
  return byName;
}
