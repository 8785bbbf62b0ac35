import { sql } from 'kysely';

/** SQL: a text stands in one of these columns, in small and capital letters alike. Reads every row that it is asked about. */
export function containsText(columns: readonly string[], text: string) {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const found = columns.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}
