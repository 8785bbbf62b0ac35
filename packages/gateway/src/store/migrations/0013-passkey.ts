import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** What the owner of a number answers during a pairing, how it failed, and the links by which they come to it without a login. */
export const passkey: Migration = {
  version: 13,
  name: 'passkey',
  async up(trx, dialect) {
    const t = types(dialect);
    await trx.schema.alterTable('onboardings').addColumn('answer', t.bytes).execute();
    await trx.schema.alterTable('onboardings').addColumn('error_code', t.text).execute();

    await createTable(trx, dialect, 'onboarding_links')
      .addColumn('token_hash', t.bytes, (c) => c.primaryKey())
      .addColumn('onboarding_id', t.text, (c) => c.notNull())
      .addColumn('browser_hash', t.bytes)
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('onboarding_links_to_drop')
      .on('onboarding_links')
      .column('created_at')
      .execute();
  },
};
