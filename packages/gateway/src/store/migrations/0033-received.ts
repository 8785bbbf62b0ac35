import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** How many messages numbers get. */
export const received: Migration = {
  version: 33,
  name: 'received',
  async up(trx, dialect) {
    await trx.schema
      .alterTable('health_counts')
      .addColumn('received', types(dialect).integer, (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
