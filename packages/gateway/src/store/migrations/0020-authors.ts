import type { Migration } from '../types.ts';
import { types } from './columns.ts';

/** Who wrote a message in a group, as a fingerprint under the account's key: nobody else but an admin may delete it for everybody. */
export const authors: Migration = {
  version: 20,
  name: 'authors',
  async up(trx, dialect) {
    await trx.schema.alterTable('history_messages').addColumn('author', types(dialect).text).execute();
  },
};
