import type { Migration } from '../types.ts';
import { types } from './columns.ts';

export const limits: Migration = {
  version: 10,
  name: 'limits',
  async up(trx, dialect) {
    const t = types(dialect);
    // When a run of messages began: in its first minute the plan's rate lets them go at once, afterwards at an even pace.
    await trx.schema
      .alterTable('send_limits')
      .addColumn('run_since', t.time, (c) => c.notNull().defaultTo(0))
      .execute();
    // What a period has taken over from those before it, so that a change of plan gives nothing away and no invoice tells it twice.
    await trx.schema
      .alterTable('device_periods')
      .addColumn('carried', t.integer, (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
