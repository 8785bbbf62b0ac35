import { sql } from 'kysely';
import type { TestGateway } from './gateway.ts';

/** Every row of every table of a gateway on SQLite: equal before and after means that nothing was changed. */
export async function everyRow({ app }: TestGateway): Promise<unknown> {
  const { read } = app.store;
  const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(
    read,
  );
  return Promise.all(
    tables.rows.map(async ({ name }) => [
      name,
      (await sql`select * from ${sql.id(name)}`.execute(read)).rows,
    ]),
  );
}
