import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** Which master keys a worker opens boxes with, so that none is taken from it; null: a worker of an older release. */
export const keyIds: Migration = {
  version: 26,
  name: 'key ids of workers',
  async up(trx, dialect) {
    await trx.schema.alterTable('workers').addColumn('key_ids', types(dialect).text).execute();
  },
};
