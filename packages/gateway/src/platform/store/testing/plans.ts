import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { vi } from 'vitest';
import { createBoxOpener } from '#kernel';
import type { AnyCommand, AnyReading, Dialect } from '../types.ts';

/** A statement on its way to the database, with its latest values. */
export interface SeenStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Records every statement that this process sends to a database, one of each text. Those of hot commands and readings on SQLite run in
 * its threads.
 */
export function watchStatements(dialect: Dialect): { seen(): SeenStatement[]; stop(): void } {
  const byText = new Map<string, SeenStatement>();
  function note(sql: unknown, values: unknown): void {
    if (typeof sql === 'string') byText.set(sql, { sql, values: Array.isArray(values) ? values : [] });
  }
  const spy =
    dialect === 'postgres'
      ? vi.spyOn(pg.Client.prototype, 'query')
      : vi.spyOn(Worker.prototype, 'postMessage');
  return {
    seen() {
      for (const [sent] of spy.mock.calls as unknown as [Record<string, unknown>][]) {
        note(sent.text ?? sent.sql, sent.values ?? sent.parameters);
      }
      return [...byText.values()];
    },
    stop: () => spy.mockRestore(),
  };
}

/** Statements that a hot command or a reading prepares in SQLite's thread. */
export function statementsInThread({ sqlite }: AnyCommand | AnyReading): SeenStatement[] {
  const statements: SeenStatement[] = [];
  const boxes = createBoxOpener([]);
  const session = {
    boxes,
    notify() {},
    prepare(sql: string) {
      statements.push({ sql, values: [] });
      return { run: () => ({ changes: 0 }), get: () => undefined, all: () => [] };
    },
    memory: () => new Map(),
  };
  sqlite(session, boxes);
  return statements;
}

/** Tables of which a statement would read every row. */
export type Scans = (statement: SeenStatement) => Promise<string[]>;

/** Asks the database for the query plan of a statement. */
export async function openPlanner(url: string): Promise<{ scans: Scans; close(): Promise<void> }> {
  return url.startsWith('sqlite:') ? openSqlitePlanner(url) : openPostgresPlanner(url);
}

function openSqlitePlanner(url: string) {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
  return {
    async scans({ sql }: SeenStatement): Promise<string[]> {
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      return steps.flatMap(({ detail }) => {
        const name = /^SCAN (\w+)/.exec(detail)?.[1];
        // A scan of an index with a limit, or a skip scan, does not count.
        return name === undefined || / USING .*INDEX/.test(detail) ? [] : [tableOf(sql, name)];
      });
    },
    close: async () => db.close(),
  };
}

/** SQLite's plan names a table by the alias in the statement. */
function tableOf(sql: string, name: string): string {
  const renamed = new RegExp(
    `(?:FROM|JOIN|UPDATE|INTO)\\s+"?(\\w+)"?\\s+(?:AS\\s+)?"?${name}"?(?![\\w.])`,
    'i',
  );
  return renamed.exec(sql)?.[1] ?? name;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Below this size the server prefers a sequential scan to an index. */
const SMALL_PART_BYTES = 100_000;

async function openPostgresPlanner(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const parts = await client.query<{ part: string; whole: string }>(
    'SELECT inhrelid::regclass::text AS part, inhparent::regclass::text AS whole FROM pg_inherits WHERE pg_relation_size(inhrelid) > $1',
    [SMALL_PART_BYTES],
  );
  const wholeOf = new Map(parts.rows.map(({ part, whole }) => [part, whole]));
  return {
    async scans({ sql, values }: SeenStatement): Promise<string[]> {
      const { rows } = await client.query({ text: `EXPLAIN (FORMAT JSON) ${sql}`, values: [...values] });
      return scannedIn(rows[0]['QUERY PLAN'][0].Plan).map((name) => wholeOf.get(name) ?? name);
    },
    close: () => client.end(),
  };
}

function scannedIn(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedIn)];
}
