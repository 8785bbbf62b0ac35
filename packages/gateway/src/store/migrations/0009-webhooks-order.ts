import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** Lets the first attempts of one chat keep their order. */
export const webhooksOrder: Migration = {
  version: 9,
  name: 'webhooks-order',
  async up(trx, dialect) {
    await trx.schema.alterTable('deliveries').addColumn('chat', types(dialect).text).execute();
  },
};
