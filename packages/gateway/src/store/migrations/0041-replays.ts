import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** Which replay has put a delivery back in the queue. */
export const replays: Migration = {
  version: 41,
  name: 'replays',
  async up(trx, dialect) {
    const { text } = types(dialect);
    await trx.schema.alterTable('deliveries').addColumn('replay_id', text).execute();
  },
};
