import type { Kysely } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Names and templates of the compatible interfaces. */
export async function createCompatTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'compat_names')
    .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
    .addColumn('surface', t.text, (c) => c.notNull())
    .addColumn('name', t.text, (c) => c.notNull())
    .addColumn('slot_id', t.text, (c) => c.notNull().references('devices.slot_id'))
    .addColumn('remembered', t.bytes, (c) => c.notNull())
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addColumn('updated_at', t.time, (c) => c.notNull())
    .addPrimaryKeyConstraint('compat_names_key', ['account_id', 'surface', 'name'])
    .addUniqueConstraint('compat_names_of_number', ['slot_id', 'surface'])
    .execute();

  await createTable(trx, dialect, 'compat_templates')
    .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
    .addColumn('name', t.text, (c) => c.notNull())
    .addColumn('language', t.text, (c) => c.notNull())
    .addColumn('definition', t.bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint('compat_templates_key', ['account_id', 'name', 'language'])
    .execute();
}
