import type { DatabaseSync } from 'node:sqlite';
import type { BoxOpener } from '#kernel';
import { assertOneOutputPerItem, commandFailure, StoreError } from '../errors.ts';
import type {
  AnyCommand,
  AnyReading,
  CommandModule,
  ReadingModule,
  RowCache,
  SqliteReadings,
  SqliteSession,
  SqliteStatement,
} from '../types.ts';
import { commitDurably } from './database.ts';
import { sqliteFailure } from './failures.ts';
import type { NamedGroup, Questions } from './protocol.ts';

type Handler = (items: never[]) => unknown[];

function unpacking({ packing }: AnyCommand, handle: Handler): Handler {
  if (!packing) return handle;
  // The same command packs and unpacks its items.
  return (items) => handle(items.map(packing.unpack) as never[]);
}

/** Writes batches inside the writer thread, each in one transaction, all or nothing. */
export function createBatchWriter(
  db: DatabaseSync,
  commands: ReadonlyMap<string, AnyCommand>,
  memories: MemoryUsage,
  boxes: BoxOpener,
): (groups: readonly NamedGroup[]) => Questions['batch']['answer'] {
  const begin = db.prepare('BEGIN IMMEDIATE');
  let notices: unknown[] = [];
  const session: SqliteSession = {
    // The row type is the one that the command's author declares.
    prepare: (db as Pick<SqliteSession, 'prepare'>).prepare.bind(db),
    memory: memories.of,
    notify: (news) => void notices.push(news),
    boxes,
  };

  const handlerOf = onceByName((name): Handler => {
    const command = commands.get(name);
    if (!command) throw new StoreError('unknown_command', `No command module has the command ${name}.`);
    return unpacking(command, command.sqlite(session));
  });

  function runGroup({ command, items }: NamedGroup): unknown[] {
    try {
      // The caller passed these items together with this command.
      const outputs = handlerOf(command)(items as never[]);
      assertOneOutputPerItem(command, items, outputs);
      return outputs;
    } catch (error) {
      throw sqliteFailure(error) ?? commandFailure(command, error);
    }
  }

  return (groups) => {
    try {
      notices = [];
      begin.run();
      const outputs = groups.map(runGroup);
      commitDurably(db);
      return { outputs, notices };
    } catch (error) {
      memories.forget();
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}

type Answer = (input: never) => unknown;

/** Runs readings inside the reader thread. */
export function createReadings(
  db: DatabaseSync,
  readings: ReadonlyMap<string, AnyReading>,
  boxes: BoxOpener,
): (name: string, input: unknown) => unknown {
  const session: SqliteReadings = {
    prepare<Row>(sql: string) {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      // The row type is the one that the reading's author declares.
      return statement as unknown as SqliteStatement<Row>;
    },
  };

  const answerOf = onceByName((name): Answer => {
    const reading = readings.get(name);
    if (!reading) throw new StoreError('unknown_command', `No reading module has the reading ${name}.`);
    return reading.sqlite(session, boxes);
  });

  // One transaction for the whole reading: otherwise every statement would take its own locks and discard the cached pages.
  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  return (name, input) => {
    const answer = answerOf(name);
    begin.run();
    try {
      // The caller passed this input together with this reading.
      return answer(input as never);
    } finally {
      end.run();
    }
  };
}

/** Prepares the statements of a name on first use, and keeps them. */
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

/** Imports the modules and indexes each command by its name, which must be unique. */
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

/** Enough for every number on one machine; evicted rows are read again. */
const MOST_REMEMBERED = 50_000;

/** Rows that commands cache between batches, by name, so that several commands can share them. */
interface MemoryUsage {
  of<Row>(name: string): RowCache<Row>;
  /** Invalidates every cached row, because other statements may have changed them. */
  forget(): void;
}

export function createMemoryUsage(mostRemembered = MOST_REMEMBERED): MemoryUsage {
  const byName = new Map<string, Map<string, unknown>>();

  function rowsOf(name: string): Map<string, unknown> {
    const rows = byName.get(name) ?? new Map<string, unknown>();
    byName.set(name, rows);
    return rows;
  }

  return {
    of<Row>(name: string): RowCache<Row> {
      const rows = rowsOf(name);
      return {
        // All users of a name use the same row type.
        get: (key) => rows.get(key) as Row | undefined,
        set(key, row) {
          if (rows.size >= mostRemembered && !rows.has(key)) rows.clear();
          rows.set(key, row);
        },
      };
    },
    forget() {
      for (const rows of byName.values()) rows.clear();
    },
  };
}
