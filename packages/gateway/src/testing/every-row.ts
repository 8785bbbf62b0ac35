import { sql } from 'kysely';
import type { Store } from '#platform/store';
import type { TestGateway } from './gateway.ts';

/** One query for all tables: tests ask for it before and after each of thousands of requests. */
const statements = new WeakMap<Store, string>();

/** Every row of every table of a gateway: equal before and after means that nothing was changed. */
export async function everyRow({ app }: TestGateway): Promise<Record<string, readonly string[]>> {
  const { store } = app;
  const statement = statements.get(store) ?? (await statementFor(store));
  statements.set(store, statement);
  const { rows } = await sql<{ name: string; content: string | null }>`${sql.raw(statement)}`.execute(
    store.read,
  );
  return Object.fromEntries(rows.map(({ name, content }) => [name, content?.split('\n') ?? []]));
}

async function statementFor({ dialect, read }: Store): Promise<string> {
  const tables = await sql<{ name: string; content: string }>`${sql.raw(TABLES[dialect])}`.execute(read);
  return tables.rows
    .map(({ name, content }) => `select '${name}' as name, ${content} as content from "${name}" t`)
    .join(' union all ');
}

/** Each table, with the expression that puts all of its rows into one text. */
const TABLES: Readonly<Record<Store['dialect'], string>> = {
  sqlite: `select m.name, 'group_concat(' || group_concat('quote("' || c.name || '")', ' || '','' || ') || ', char(10))' as content
    from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' group by m.name`,
  postgres: `select relname as name, 'string_agg(t::text, chr(10))' as content from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
};
