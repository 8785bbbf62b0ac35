import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** Why a session has no connection, and until when, so that every process can say so. */
export const absence: Migration = {
  version: 12,
  name: 'absence',
  async up(trx, dialect) {
    const t = types(dialect);
    const columns = [
      ['reason', t.text],
      ['reason_detail', t.text],
      ['reason_until', t.time],
    ] as const;
    for (const [name, type] of columns)
      await trx.schema.alterTable('sessions').addColumn(name, type).execute();
  },
};
