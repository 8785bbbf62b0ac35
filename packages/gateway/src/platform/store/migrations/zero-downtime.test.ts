import { describe, expect, it } from 'vitest';
import { statementsOf } from '../schema/migrate.ts';
import { migrations } from './index.ts';

/**
 * Processes of the previous release keep working during and after a migration. So a migration only adds, and takes no lock that blocks
 * others for a time that grows with the table. See docs/adr/0012.
 */
const HARMLESS: readonly RegExp[] = [
  /^create table /,
  // A storage parameter: readers and writers are not affected.
  /^alter table \S+ set \((?:fillfactor|autovacuum)/,
];

/** The table that a statement indexes, fills or alters. */
const CHANGE = /^(?:create (?:unique )?index "\w+" on|insert into|alter table) "(\w+)"/;

/** A nullable column, or one with a constant default that the server adds without a table rewrite. */
function isHarmlessColumn(statement: string): boolean {
  const [, definition] = /^alter table \S+ add column "\w+" (.*)$/.exec(statement) ?? [];
  if (definition === undefined || /\b(?:unique|references|check|generated)\b/.test(definition)) return false;
  const hasConstant = /\bdefault (?:'[^']*'|-?[\d.]+)(?= |$)/.test(definition);
  return hasConstant || !/\b(?:default|not null)\b/.test(definition);
}

function harmful(statements: readonly string[]): string[] {
  const made = new Set(statements.flatMap((statement) => /^create table "(\w+)"/.exec(statement)?.[1] ?? []));
  return statements.filter((statement) => {
    const [, changed] = CHANGE.exec(statement.trim()) ?? [];
    // No other process uses a table before the migration that creates it is committed.
    if (changed !== undefined && made.has(changed)) return false;
    return !isHarmlessColumn(statement) && !HARMLESS.some((pattern) => pattern.test(statement));
  });
}

describe('a migration only adds, and blocks no process', () => {
  it.each(migrations.map((migration) => [migration.name, migration] as const))(
    '%s',
    async (_name, migration) => {
      const statements = await statementsOf(migration, 'postgres');
      expect(statements.length).toBeGreaterThan(0);
      expect(harmful(statements)).toEqual([]);
    },
  );

  it.each([
    'drop table "messages"',
    'alter table "messages" drop column "reason"',
    'alter table "messages" rename column "reason" to "cause"',
    'alter table "messages" alter column "reason" type bigint',
    'alter table "messages" alter column "reason" set not null',
    'alter table "messages" add column "cause" text not null',
    'alter table "messages" add column "at" bigint default extract(epoch from clock_timestamp()) not null',
    'alter table "messages" add column "poll" text references "polls" ("id")',
    'alter table "messages" add constraint "positive" check (accepted_at > 0)',
    'create index "messages_by_type" on "messages" ("type")',
    'alter table "messages" rename to "messages_rest"',
    'update "messages" set "reason" = null',
    'delete from "messages"',
  ])('this would not be one: %s', (statement) => {
    expect(harmful([statement])).toEqual([statement]);
  });

  it.each([
    'create table "polls" ("id" text)',
    'alter table "messages" add column "cause" text collate "C"',
    `alter table "messages" add column "priority" bigint default 0 not null`,
    `alter table "messages" add column "priority" text not null default 'low'`,
    'alter table "messages" set (fillfactor = 85)',
  ])('this is one: %s', (statement) => {
    expect(harmful([statement])).toEqual([]);
  });

  it('may create an index on its own new table', () => {
    expect(harmful(['create table "polls" ("id" text)', 'create index "p" on "polls" ("id")'])).toEqual([]);
  });
});
