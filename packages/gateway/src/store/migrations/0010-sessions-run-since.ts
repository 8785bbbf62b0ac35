import { types } from '../columns.ts';
import type { Migration } from '../types.ts';

/** When a run of messages began: in its first minute the plan's rate lets them go at once, afterwards at an even pace. */
export const runSince: Migration = {
  version: 10,
  name: 'run-since',
  async up(trx, dialect) {
    await trx.schema
      .alterTable('send_limits')
      .addColumn('run_since', types(dialect).time, (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
