import type { DatabaseSync } from 'node:sqlite';
import { steps } from './schema.ts';

/** The schema after all steps, kept once a file of this process has gone through them: a new world then opens in an eighth of the time. */
let newest: string | undefined;

/** Migrates a file to the newest schema; refuses one of a later Parley. */
export function migrate(connection: DatabaseSync): void {
  const version = versionOf(connection);
  if (version > steps.length) {
    throw new Error(
      `the sandbox file has schema version ${version}; this release knows ${steps.length} at most`,
    );
  }
  if (version === 0 && newest !== undefined) take(connection, newest, steps.length);
  else for (let to = version; to < steps.length; to += 1) take(connection, steps[to] ?? '', to + 1);
  newest ??= shapeOf(connection);
}

function versionOf(connection: DatabaseSync): number {
  connection.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
  const found = connection.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_version').get();
  return Number(found?.version);
}

function take(connection: DatabaseSync, step: string, version: number): void {
  connection.exec('BEGIN IMMEDIATE');
  connection.exec(step);
  connection.prepare('INSERT INTO schema_version (version) VALUES (?)').run(version);
  connection.exec('COMMIT');
}

function shapeOf(connection: DatabaseSync): string {
  const made = connection
    .prepare(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'schema_version'`,
    )
    .all();
  return made.map(({ sql }) => `${sql};`).join('\n');
}
