import type { CompatTemplateRow, Store, Writer } from '#platform/store';

type Queries = Pick<Writer, 'selectFrom'>;

export function findTemplate(
  db: Queries,
  accountId: string,
  name: string,
  language: string,
): Promise<CompatTemplateRow | undefined> {
  return db
    .selectFrom('compat_templates')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('language', '=', language)
    .executeTakeFirst();
}

export interface WantedTemplates {
  readonly name?: string | undefined;
  readonly language?: string | undefined;
  readonly after?: { readonly name: string; readonly language: string } | undefined;
  readonly limit: number;
}

/** Ordered by name and language. */
export function listTemplates(
  db: Queries,
  accountId: string,
  { name, language, after, limit }: WantedTemplates,
): Promise<CompatTemplateRow[]> {
  let query = db.selectFrom('compat_templates').selectAll().where('account_id', '=', accountId);
  if (name !== undefined) query = query.where('name', '=', name);
  if (language !== undefined) query = query.where('language', '=', language);
  if (after)
    query = query.where((where) =>
      where(where.refTuple('name', 'language'), '>', where.tuple(after.name, after.language)),
    );
  return query.orderBy('name').orderBy('language').limit(limit).execute();
}

export async function insertTemplate(store: Store, row: CompatTemplateRow): Promise<void> {
  await store.transaction((trx) =>
    trx
      .insertInto('compat_templates')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'name', 'language']).doUpdateSet({ definition: row.definition }),
      )
      .execute(),
  );
}

export async function deleteTemplates(
  store: Store,
  accountId: string,
  name: string,
  language: string | undefined,
): Promise<boolean> {
  const [result] = await store.transaction((trx) => {
    const those = trx
      .deleteFrom('compat_templates')
      .where('account_id', '=', accountId)
      .where('name', '=', name);
    return (language === undefined ? those : those.where('language', '=', language)).execute();
  });
  return Number(result?.numDeletedRows ?? 0) > 0;
}
