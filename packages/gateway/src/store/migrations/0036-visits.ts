import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** Visits of the operator to the pages of an account. */
export const visits: Migration = {
  version: 36,
  name: 'visits',
  async up(trx, dialect) {
    await trx.schema.alterTable('browser_sessions').addColumn('operator_name', types(dialect).text).execute();
  },
};
