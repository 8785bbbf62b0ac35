import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Texts that accounts send by their name, through an interface that has such. */
export const compatTemplates: Migration = {
  version: 22,
  name: 'compat templates',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'compat_templates')
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('name', t.text, (c) => c.notNull())
      .addColumn('language', t.text, (c) => c.notNull())
      .addColumn('definition', t.bytes, (c) => c.notNull())
      .addPrimaryKeyConstraint('compat_templates_key', ['account_id', 'name', 'language'])
      .execute();
  },
};
