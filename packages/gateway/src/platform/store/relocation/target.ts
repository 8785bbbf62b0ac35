import { StoreError } from '../errors.ts';
import { acquireLink, type PgLink, transact, withLink } from '../postgres/link.ts';
import { createPool } from '../postgres/pool.ts';
import { MARKS } from '../schema/migrate.ts';
import type { SqlValue } from '../types.ts';
import type { Batch, TableShape } from './source.ts';

/** Progress of copying a table. */
interface Progress {
  readonly lastRow: number;
  readonly rows: number;
}

/** The database that is moved into. It stores its own progress. */
export interface Target {
  move(): Promise<{ readonly id: string; readonly finished: boolean } | undefined>;
  begin(id: string, at: number): Promise<void>;
  isEmpty(tables: readonly TableShape[]): Promise<boolean>;
  progressOf(table: string): Promise<Progress>;
  /** Writes the rows and the progress of the table, both or neither. */
  write(table: TableShape, batch: Batch): Promise<Progress>;
  count(table: string): Promise<number>;
  /** Continues its own row numbers after these. */
  numberOnFrom(highest: (table: string) => number): Promise<void>;
  /** Allows gateways to open it. */
  finish(at: number): Promise<void>;
  close(): Promise<void>;
}

/** Outside of the migrations: only a database that was moved into has these tables. */
const LEDGER = [
  'CREATE TABLE relocation (id text PRIMARY KEY, started_at bigint NOT NULL, finished_at bigint)',
  'CREATE TABLE relocation_progress (table_name text PRIMARY KEY, last_row bigint NOT NULL, rows bigint NOT NULL)',
];

export async function openTarget(url: string): Promise<Target> {
  const pool = createPool({ url, max: 1, settings: { synchronous_commit: 'on' }, log: undefined });
  const acquire = (): Promise<PgLink> => acquireLink(pool);
  await using opening = new AsyncDisposableStack();
  opening.defer(() => pool.end());
  const types = await columnTypes();
  opening.move();

  async function query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await withLink(acquire, (link) => link.query(sql, values))).rows as Row[];
  }

  function inTransaction<T>(work: (link: PgLink) => Promise<T>): Promise<T> {
    return transact(acquire, async (link) => {
      await link.begin();
      return work(link);
    });
  }

  async function columnTypes(): Promise<Map<string, string>> {
    const rows = await query<{ table_name: string; column_name: string; udt_name: string }>(
      'SELECT table_name, column_name, udt_name FROM information_schema.columns WHERE table_schema = current_schema()',
    );
    return new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row.udt_name]));
  }

  /** Passes one array per column. */
  function insertion({ name, columns }: TableShape): string {
    const arrays = columns.map((column, index) => {
      const type = types.get(`${name}.${column}`);
      if (!type) throw new StoreError('not_movable', `The target has no column ${name}.${column}.`);
      return `$${index + 1}::${type}[]`;
    });
    const list = columns.map((column) => `"${column}"`).join(', ');
    return `INSERT INTO "${name}" (${list}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arrays.join(', ')})`;
  }

  return {
    async move() {
      const [made] = await query<{ made: number }>("SELECT to_regclass('relocation') IS NOT NULL AS made");
      if (!made?.made) return undefined;
      const [row] = await query<{ id: string; finished_at: number | null }>(
        'SELECT id, finished_at FROM relocation',
      );
      return row && { id: row.id, finished: row.finished_at !== null };
    },
    begin: (id, at) =>
      inTransaction(async (link) => {
        for (const statement of LEDGER) await link.query(statement, []);
        await link.query('INSERT INTO relocation (id, started_at) VALUES ($1, $2)', [id, at]);
        const mark = 'INSERT INTO schema_version (version, name, applied_at) VALUES ($1, $2, $3)';
        await link.query(mark, [MARKS.movingIn, id, at]);
        // Left by a gateway that was started here while it was empty; the moved data may be sealed under another key.
        await link.query('DELETE FROM seal_markers', []);
      }),
    async isEmpty(tables) {
      for (const { name } of tables) {
        // Written by every gateway that starts; the moved data brings its own.
        if (name === 'seal_markers') continue;
        if ((await query(`SELECT 1 FROM "${name}" LIMIT 1`)).length > 0) return false;
      }
      return true;
    },
    async progressOf(table) {
      const [row] = await query<{ last_row: number; rows: number }>(
        'SELECT last_row, rows FROM relocation_progress WHERE table_name = $1',
        [table],
      );
      return { lastRow: row?.last_row ?? Number.MIN_SAFE_INTEGER, rows: row?.rows ?? 0 };
    },
    write: (table, { rows, lastRow }) =>
      inTransaction(async (link) => {
        const columns = table.columns.map((_, index) => rows.map((row) => bindable(row[index] ?? null)));
        await link.query(insertion(table), columns);
        const { rows: noted } = await link.query(
          `INSERT INTO relocation_progress (table_name, last_row, rows) VALUES ($1, $2, $3)
           ON CONFLICT (table_name) DO UPDATE SET last_row = $2, rows = relocation_progress.rows + $3 RETURNING rows`,
          [table.name, lastRow, rows.length],
        );
        const [{ rows: done }] = noted as [{ rows: number }];
        return { lastRow, rows: done };
      }),
    async count(table) {
      const [row] = await query<{ count: number }>(`SELECT count(*) AS count FROM "${table}"`);
      return row?.count ?? 0;
    },
    async numberOnFrom(highest) {
      const numbered = await query<{ table_name: string; column_name: string }>(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'",
      );
      for (const { table_name: table, column_name: column } of numbered) {
        const last = highest(table);
        await query('SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)', [
          table,
          column,
          Math.max(last, 1),
          last > 0,
        ]);
      }
    },
    async finish(at) {
      // Gives the planner statistics for the first statements.
      await query('ANALYZE');
      await inTransaction(async (link) => {
        await link.query('UPDATE relocation SET finished_at = $1', [at]);
        await link.query('DELETE FROM schema_version WHERE version = $1', [MARKS.movingIn]);
      });
    },
    close: () => pool.end(),
  };
}

function bindable(value: SqlValue): null | number | string | Buffer {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
