import type { Kysely } from 'kysely';
import type { Dialect } from '../../types.ts';
import { createTable, types } from '../columns.ts';

/** Access: accounts and their members, keys, accepted terms and audit log. */
export async function createAccountsTables(trx: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const t = types(dialect);

  await createTable(trx, dialect, 'accounts')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('name', t.text, (c) => c.notNull())
    .addColumn('email', t.text, (c) => c.notNull().unique())
    .addColumn('password_hash', t.text)
    .addColumn('status', t.text, (c) => c.notNull())
    .addColumn('tos_accepted_version', t.text)
    .addColumn('tos_accepted_at', t.time)
    .addColumn('partner_per_minute', t.integer)
    .addColumn('partner_per_period', t.integer)
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addColumn('erased_at', t.time)
    .execute();

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

  await createTable(trx, dialect, 'one_time_links')
    .addColumn('token_hash', t.bytes, (c) => c.primaryKey())
    .addColumn('purpose', t.text, (c) => c.notNull())
    .addColumn('subject', t.text, (c) => c.notNull())
    .addColumn('expires_at', t.time, (c) => c.notNull())
    .addColumn('created_at', t.time, (c) => c.notNull())
    .execute();
  await trx.schema.createIndex('one_time_links_of_subject').on('one_time_links').column('subject').execute();

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

  await createTable(trx, dialect, 'browser_sessions')
    .addColumn('token_hash', t.bytes, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.references('accounts.id'))
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addColumn('seen_at', t.time, (c) => c.notNull())
    .addColumn('member_id', t.text)
    .addColumn('browser', t.text)
    .addColumn('address', t.text)
    .addColumn('operator_name', t.text)
    .execute();
  await trx.schema
    .createIndex('browser_sessions_of_account')
    .on('browser_sessions')
    .column('account_id')
    .execute();

  await createTable(trx, dialect, 'portal_limits')
    .addColumn('name', t.text, (c) => c.primaryKey())
    .addColumn('full_at', t.real, (c) => c.notNull())
    .execute();

  await createTable(trx, dialect, 'api_keys')
    .addColumn('id', t.text, (c) => c.primaryKey())
    .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
    .addColumn('name', t.text, (c) => c.notNull())
    .addColumn('secret_hash', t.bytes, (c) => c.notNull())
    .addColumn('phone', t.text)
    .addColumn('permissions', t.json)
    .addColumn('expires_at', t.time)
    .addColumn('revoked_at', t.time)
    .addColumn('last_used_at', t.time)
    .addColumn('created_at', t.time, (c) => c.notNull())
    .addColumn('parent_key_id', t.text)
    .addColumn('belongs_to', t.text)
    .execute();
  await trx.schema.createIndex('api_keys_of_account').on('api_keys').columns(['account_id', 'id']).execute();

  await createTable(trx, dialect, 'tos_versions')
    .addColumn('version', t.text, (c) => c.primaryKey())
    .addColumn('url', t.text, (c) => c.notNull())
    .addColumn('number', t.integer, (c) => c.notNull().unique())
    .addColumn('published_at', t.time, (c) => c.notNull())
    .addColumn('effective_at', t.time)
    .execute();

  await createTable(trx, dialect, 'terms_notices')
    .addColumn('account_id', t.text, (c) => c.notNull().references('accounts.id'))
    .addColumn('version', t.text, (c) => c.notNull().references('tos_versions.version'))
    .addColumn('noticed_at', t.time, (c) => c.notNull())
    .addPrimaryKeyConstraint('terms_notices_key', ['account_id', 'version'])
    .execute();

  // Writers number the rows one after the other, so that a reader who has seen number n misses nothing below it.
  await createTable(trx, dialect, 'audit_log')
    .addColumn('number', t.integer, (c) => c.primaryKey())
    .addColumn('at', t.time, (c) => c.notNull())
    .addColumn('actor', t.text, (c) => c.notNull())
    .addColumn('account_id', t.text)
    .addColumn('action', t.text, (c) => c.notNull())
    .addColumn('subject', t.text, (c) => c.notNull())
    .addColumn('detail', t.json, (c) => c.notNull())
    .execute();
  await trx.schema
    .createIndex('audit_log_of_account')
    .on('audit_log')
    .columns(['account_id', 'number'])
    .execute();
}
