import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** Which key has made a key, and ends it with itself; and what a key belongs to, and ends with. */
export const derivedKeys: Migration = {
  version: 40,
  name: 'derived keys',
  async up(trx, dialect) {
    const { text } = types(dialect);
    await trx.schema.alterTable('api_keys').addColumn('parent_key_id', text).execute();
    await trx.schema.alterTable('api_keys').addColumn('belongs_to', text).execute();
  },
};
