import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** What webhooks ask for beyond the specification, and which events are only for those who do. */
export const extensions: Migration = {
  version: 14,
  name: 'extensions',
  async up(trx, dialect) {
    const t = types(dialect);
    await trx.schema
      .alterTable('webhooks')
      .addColumn('extensions', t.text, (c) => c.notNull().defaultTo(''))
      .execute();
    await trx.schema.alterTable('events').addColumn('extension', t.text).execute();
  },
};
