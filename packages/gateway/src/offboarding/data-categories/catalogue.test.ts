import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { DATA_CATEGORIES, NOT_OF_ACCOUNTS } from './catalogue.ts';

describeOnEachDatabase('the catalogue of account data', (test) => {
  async function tablesThereAre(): Promise<string[]> {
    const { rows } =
      test.store.dialect === 'sqlite'
        ? await sql<{
            name: string;
          }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(
            test.store.read,
          )
        : await sql<{
            name: string;
          }>`select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
            test.store.read,
          );
    return rows.map(({ name }) => name).toSorted();
  }

  it('covers every table', async () => {
    const known = new Set([...DATA_CATEGORIES.map(({ table }) => table), ...Object.keys(NOT_OF_ACCOUNTS)]);
    expect([...known].toSorted()).toEqual(await tablesThereAre());
  });

  it('names existing columns', async () => {
    for (const { table, column, key, exported, withNumber } of DATA_CATEGORIES) {
      const left = exported === 'none' ? [] : exported.without;
      const named = [column, ...key, ...left, ...(withNumber ? [withNumber] : [])].map((name) =>
        sql.ref(name),
      );
      const query = sql`select ${sql.join(named)} from ${sql.table(table)} limit 1`;
      await expect(query.execute(test.store.read), table).resolves.toMatchObject({ rows: [] });
    }
  });
});

describe('an export', () => {
  it('has no column that could be a secret', () => {
    const suspicious = /secret|hash|sealed|password|creds|token/;
    const columns = DATA_CATEGORIES.flatMap(({ table, key, exported }) =>
      exported === 'none'
        ? []
        : key.filter((name) => !exported.without.includes(name)).map((name) => `${table}.${name}`),
    );
    expect(columns.filter((name) => suspicious.test(name))).toEqual([]);
  });
});
