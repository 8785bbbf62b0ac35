import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Why a session has no connection, and until when, so that every process can say so; whether it appears online; the version of the client that the network serves. */
export const link: Migration = {
  version: 12,
  name: 'link',
  async up(trx, dialect) {
    const t = types(dialect);
    const columns = [
      ['reason', t.text],
      ['reason_detail', t.text],
      ['reason_until', t.time],
    ] as const;
    for (const [name, type] of columns)
      await trx.schema.alterTable('sessions').addColumn(name, type).execute();
    await trx.schema
      .alterTable('sessions')
      .addColumn('presence_policy', t.text, (c) => c.notNull().defaultTo('auto'))
      .execute();

    await createTable(trx, dialect, 'client_versions')
      .addColumn('client', t.text, (c) => c.primaryKey())
      .addColumn('version', t.text, (c) => c.notNull())
      .addColumn('learned_at', t.time, (c) => c.notNull())
      .execute();
  },
};
