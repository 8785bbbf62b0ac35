import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** Who was asked to join an account and has not come yet. */
export const invitations: Migration = {
  version: 25,
  name: 'invitations',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'invitations')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('email', t.text, (c) => c.notNull())
      .addColumn('role', t.text, (c) => c.notNull())
      .addColumn('by_mail', t.flag, (c) => c.notNull())
      .addColumn('expires_at', t.time, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .addUniqueConstraint('one_invitation_per_address', ['account_id', 'email'])
      .execute();
  },
};
