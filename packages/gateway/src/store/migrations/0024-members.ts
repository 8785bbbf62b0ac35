import { type Kysely, sql } from 'kysely';
import type { Migration } from '../types.ts';
import { createTable, types } from './columns.ts';

/** The people who belong to an account: first of all the owner that every account has had so far. */
export const members: Migration = {
  version: 24,
  name: 'members',
  async up(trx, dialect) {
    const t = types(dialect);
    await createTable(trx, dialect, 'members')
      .addColumn('id', t.text, (c) => c.primaryKey())
      .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
      .addColumn('email', t.text, (c) => c.notNull().unique())
      .addColumn('name', t.text, (c) => c.notNull())
      .addColumn('role', t.text, (c) => c.notNull())
      .addColumn('password_hash', t.text)
      .addColumn('awaits_verification', t.flag, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema.createIndex('members_of_account').on('members').column('account_id').execute();
    await carryOwnersOver(trx);

    await createTable(trx, dialect, 'one_time_links')
      .addColumn('token_hash', t.bytes, (c) => c.primaryKey())
      .addColumn('purpose', t.text, (c) => c.notNull())
      .addColumn('subject', t.text, (c) => c.notNull())
      .addColumn('expires_at', t.time, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();
    await trx.schema
      .createIndex('one_time_links_of_subject')
      .on('one_time_links')
      .column('subject')
      .execute();

    await createTable(trx, dialect, 'second_factors')
      .addColumn('member_id', t.text, (c) => c.primaryKey().references('members.id'))
      .addColumn('sealed', t.bytes, (c) => c.notNull())
      .addColumn('confirmed_at', t.time)
      .addColumn('last_step', t.integer, (c) => c.notNull())
      .addColumn('created_at', t.time, (c) => c.notNull())
      .execute();
    await createTable(trx, dialect, 'recovery_codes')
      .addColumn('member_id', t.text, (c) => c.notNull().references('members.id'))
      .addColumn('code_hash', t.bytes, (c) => c.notNull())
      .addPrimaryKeyConstraint('recovery_codes_key', ['member_id', 'code_hash'])
      .execute();

    for (const [column, type] of [
      ['member_id', t.text],
      ['browser', t.text],
      ['address', t.text],
    ] as const)
      await trx.schema.alterTable('browser_sessions').addColumn(column, type).execute();
  },
};

/** With the account's own email, by which a process of the last release knows its owner. What such a process makes later is carried over when it is met. */
async function carryOwnersOver(trx: Kysely<unknown>): Promise<void> {
  await sql`insert into "members" (id, account_id, email, name, role, password_hash, awaits_verification, created_at)
    select 'mem_' || substr(id, 5), id, email, name, 'owner', null, 0, created_at from accounts`.execute(trx);
}
