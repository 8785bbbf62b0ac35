import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** When published terms take effect, and which accounts were told of them by mail. */
export const termsNotice: Migration = {
  version: 27,
  name: 'terms with notice',
  async up(trx, dialect) {
    const t = types(dialect);
    await trx.schema.alterTable('tos_versions').addColumn('effective_at', t.time).execute();
    await createTable(trx, dialect, 'terms_notices')
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('version', t.text, (c) => c.notNull().references('tos_versions.version'))
      .addColumn('noticed_at', t.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('terms_notices_key', ['account_id', 'version'])
      .execute();
  },
};
