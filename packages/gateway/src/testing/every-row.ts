import { sql } from 'kysely';
import type { TestGateway } from './gateway.ts';

/** Every row of every table of a gateway: equal before and after means that nothing was changed. */
export async function everyRow({ app }: TestGateway): Promise<unknown> {
  const { dialect, read } = app.store;
  const names =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`;
  const tables = await names.execute(read);
  return Promise.all(
    tables.rows.map(async ({ name }) => [
      name,
      (await sql`select * from ${sql.id(name)}`.execute(read)).rows,
    ]),
  );
}
