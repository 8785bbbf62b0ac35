import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** What of an archive is made already, and how often it could not be gone on with. */
export const exportPieces: Migration = {
  version: 42,
  name: 'export-pieces',
  async up(trx, dialect) {
    const t = types(dialect);
    await trx.schema.alterTable('account_exports').addColumn('pieces', t.text).execute();
    await trx.schema
      .alterTable('account_exports')
      .addColumn('failures', t.integer, (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
