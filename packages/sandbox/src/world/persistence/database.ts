import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { conversationTables } from './conversation-tables.ts';
import { peopleTables } from './people-tables.ts';

/** Steps of the schema. A step is never changed once released; add another. */
const steps = [`${peopleTables}${conversationTables}`];

export type Param = SQLInputValue;

/** The world's file. Rows have the caller's type; the schema beside this file makes that true. */
export interface Database {
  get<Row>(sql: string, ...params: Param[]): Row | undefined;
  all<Row>(sql: string, ...params: Param[]): Row[];
  run(sql: string, ...params: Param[]): { changes: number; lastId: number };
  /** All or nothing. Inside another transaction it is a savepoint that can fail alone. */
  transaction<T>(run: () => T): T;
  inTransaction(): boolean;
  readonly isOpen: boolean;
  close(): void;
}

/**
 * Survives the death of the process at any moment: `synchronous=NORMAL` with a write-ahead log loses commits only on a power
 * failure, which a test network may.
 */
export function openDatabase(file: string): Database {
  const connection = new DatabaseSync(file);
  connection.exec(
    `PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4000;
     PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;`,
  );
  migrate(connection);

  let depth = 0;
  /** The error that made SQLite roll back a whole transaction. */
  let lostTo: unknown;
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    // After a part failed that way, the caller must not write the rest outside the transaction.
    if (depth > 0 && !connection.isTransaction) throw lostTo;
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };

  const bracket = <T>(begin: string, commit: string, rollback: string, run: () => T): T => {
    prepared(begin).run();
    depth += 1;
    try {
      const result = run();
      prepared(commit).run();
      return result;
    } catch (error) {
      if (connection.isTransaction) for (const sql of rollback.split(';')) prepared(sql).run();
      else lostTo = error;
      throw error;
    } finally {
      depth -= 1;
    }
  };

  return {
    get: <Row>(sql: string, ...params: Param[]) => prepared(sql).get(...params) as Row | undefined,
    all: <Row>(sql: string, ...params: Param[]) => prepared(sql).all(...params) as Row[],
    run(sql, ...params) {
      const { changes, lastInsertRowid } = prepared(sql).run(...params);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    transaction: (run) =>
      depth === 0
        ? bracket('BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK', run)
        : bracket('SAVEPOINT part', 'RELEASE part', 'ROLLBACK TO part;RELEASE part', run),
    inTransaction: () => depth > 0,
    get isOpen() {
      return connection.isOpen;
    },
    close: () => connection.close(),
  };
}

/** Primary result codes of SQLite for a full or failing disk, or a file locked by another process. */
const PASSING: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);

export function isPassingFailure(error: unknown): boolean {
  const code: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'errcode') : undefined;
  return typeof code === 'number' && PASSING.has(code & 0xff);
}

/** Migrates a file to the newest schema; refuses one of a later Parley. */
function migrate(connection: DatabaseSync): void {
  connection.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
  const found = connection.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_version').get();
  const version = Number(found?.version);
  if (version > steps.length) {
    throw new Error(
      `the sandbox file has schema version ${version}; this release knows ${steps.length} at most`,
    );
  }
  for (const [place, step] of steps.slice(version).entries()) {
    connection.exec('BEGIN IMMEDIATE');
    connection.exec(step);
    connection.prepare('INSERT INTO schema_version (version) VALUES (?)').run(version + place + 1);
    connection.exec('COMMIT');
  }
}
