import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../errors.ts';
import { MARKS } from '../schema/migrate.ts';
import { openDatabase } from '../sqlite/database.ts';
import type { SqlValue } from '../types.ts';

const ROWS_PER_BATCH = 1_000;
const BYTES_PER_BATCH = 4 * 1024 * 1024;

/** State that belongs to a running process, or is recreated at its start; not copied. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  'schema_version',
  'workers',
  'webhook_lanes',
  'write_probes',
]);

export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A batch of rows of a table, in the order of its columns. */
export interface Batch {
  readonly rows: readonly (readonly SqlValue[])[];
  /** Row id of the last of them in the source: the next batch begins after it. */
  readonly lastRow: number;
}

/** The embedded database that is moved from. */
export interface Source {
  /** Ordered so that a table follows those that it references. */
  readonly tables: readonly TableShape[];
  /** The move that the database is marked for. */
  move(): { readonly id: string; readonly finished: boolean } | undefined;
  mark(id: string, at: number): void;
  markFinished(at: number): void;
  unmark(): void;
  count(table: string): number;
  /** Undefined after the last row. */
  batchAfter(table: TableShape, lastRow: number): Batch | undefined;
  /** The highest row number ever assigned in this table, even if that row is gone. */
  highestNumber(table: string): number;
  /** Headers of sealed credentials, one for each key that they were sealed under. */
  sealedHeaders(): Uint8Array[];
  close(): void;
}

export function openSource(path: string): Source {
  if (!existsSync(path)) throw new StoreError('not_movable', `There is no database ${path} to move.`);
  const db = openDatabase({ path, role: 'writer' });
  function move(): ReturnType<Source['move']> {
    const marks = db.prepare(
      'SELECT version, name FROM schema_version WHERE version >= ? ORDER BY version DESC',
    );
    const row = marks.get(MARKS.movingAway) as { version: number; name: string } | undefined;
    return row && { id: row.name, finished: row.version === MARKS.movedAway };
  }
  const mark = (version: number, id: string, at: number): void => {
    db.prepare('INSERT OR IGNORE INTO schema_version (version, name, applied_at) VALUES (?, ?, ?)').run(
      version,
      id,
      at,
    );
  };

  return {
    tables: readTables(db),
    move,
    mark: (id, at) => mark(MARKS.movingAway, id, at),
    markFinished: (at) => mark(MARKS.movedAway, move()?.id ?? '', at),
    unmark: () => void db.prepare('DELETE FROM schema_version WHERE version = ?').run(MARKS.movingAway),
    count: (table) => numberOf(db, `SELECT count(*) AS number FROM "${table}"`),
    batchAfter: ({ name, columns }, lastRow) => readBatch(db, name, columns, lastRow),
    highestNumber: (table) =>
      numberOf(db, 'SELECT max(seq) AS number FROM sqlite_sequence WHERE name = ?', table),
    sealedHeaders() {
      const rows = db.prepare('SELECT DISTINCT substr(creds, 1, 5) AS header FROM network_links').all();
      return (rows as { header: Uint8Array }[]).map(({ header }) => header);
    },
    close: () => db.close(),
  };
}

function numberOf(db: DatabaseSync, sql: string, ...values: SqlValue[]): number {
  const row = db.prepare(sql).get(...values) as { number: number | null } | undefined;
  return row?.number ?? 0;
}

function readTables(db: DatabaseSync): TableShape[] {
  // In order of creation; a referenced table always exists before.
  const names = db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all() as { name: string }[];
  return names
    .filter(({ name }) => !LEFT_BEHIND.has(name))
    .map(({ name }) => {
      const columns = db.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(name) as {
        name: string;
      }[];
      return { name, columns: columns.map((column) => column.name) };
    });
}

function readBatch(
  db: DatabaseSync,
  table: string,
  columns: readonly string[],
  lastRow: number,
): Batch | undefined {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const statement = db.prepare(
    `SELECT rowid AS row_number, ${list} FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_PER_BATCH}`,
  );
  const rows: SqlValue[][] = [];
  let bytes = 0;
  let last = lastRow;
  for (const found of statement.iterate(lastRow) as Iterable<Record<string, SqlValue>>) {
    const row = columns.map((column) => found[column] ?? null);
    rows.push(row);
    last = Number(found.row_number);
    bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (bytes >= BYTES_PER_BATCH) break;
  }
  return rows.length === 0 ? undefined : { rows, lastRow: last };
}

function sizeOf(value: SqlValue): number {
  return value === null || typeof value === 'number' ? 8 : value.length;
}
