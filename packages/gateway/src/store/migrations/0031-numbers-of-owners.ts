import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** What owners call their numbers, and when they have ended a plan themselves. */
export const numbersOfOwners: Migration = {
  version: 31,
  name: 'numbers of owners',
  async up(trx, dialect) {
    const t = types(dialect);
    await trx.schema.alterTable('devices').addColumn('nickname', t.text).execute();
    await trx.schema.alterTable('devices').addColumn('canceled_at', t.time).execute();
  },
};
