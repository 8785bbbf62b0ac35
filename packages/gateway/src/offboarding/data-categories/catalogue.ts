import type { Tables } from '#platform/store';

/** Kind of the id in the column by which rows of a table are found. */
export type Scope = 'account' | 'number' | 'member' | 'invitation' | 'history' | 'link' | 'media';

/** A table with rows of accounts: how the rows of an account are found, exported and erased. */
export interface DataCategory {
  readonly table: keyof Tables;
  readonly of: Scope;
  readonly column: string;
  /** Identifies a row, in the order of the index that leads to it. */
  readonly key: readonly string[];
  /** Without an index: the table is scanned along its key, in windows. */
  readonly walked?: true;
  /** Rows that leave with their number; the column by which they are found then. */
  readonly withNumber?: 'slot_id';
  /** Columns that an export leaves out; `none`: the data is elsewhere in the export, or is a secret as a whole. */
  readonly exported: 'none' | { readonly without: readonly string[] };
}

const whole = { without: [] } as const;
const without = (...columns: string[]) => ({ without: columns });

/** Found by an index that begins with the account. */
function ofAccount(
  table: keyof Tables,
  key: readonly string[],
  exported: DataCategory['exported'] = whole,
): DataCategory {
  return { table, of: 'account', column: 'account_id', key, exported };
}

function ofNumber(
  table: keyof Tables,
  key: readonly string[],
  exported: DataCategory['exported'] = whole,
): DataCategory {
  return { table, of: 'number', column: 'slot_id', key, exported, withNumber: 'slot_id' };
}

/** Without an index that begins with the account. */
function walked(
  table: keyof Tables,
  key: string,
  exported: DataCategory['exported'],
  more: Pick<DataCategory, 'withNumber'> = {},
): DataCategory {
  return { table, of: 'account', column: 'account_id', key: [key], walked: true, exported, ...more };
}

/**
 * All data of accounts, in an order that allows erasure: no row goes before the rows that refer to it. A test
 * compares this with the tables of the database.
 */
export const DATA_CATEGORIES: readonly DataCategory[] = [
  ofAccount('sessions', ['slot_id'], without('worker', 'fence', 'link_id')),
  walked('onboardings', 'id', without('shown', 'answer', 'worker', 'link_id'), { withNumber: 'slot_id' }),
  // Only needed to be the linked device.
  { table: 'network_journal', of: 'link', column: 'link_id', key: ['digest'], exported: 'none' },
  { table: 'network_records', of: 'link', column: 'link_id', key: ['kind', 'id'], exported: 'none' },
  { table: 'network_links', of: 'link', column: 'link_id', key: ['link_id'], exported: 'none' },
  { table: 'ending_links', of: 'link', column: 'link_id', key: ['link_id'], exported: 'none' },

  { table: 'outbox', of: 'number', column: 'slot_id', key: ['seq'], exported: without('sealed') },
  { table: 'messages', of: 'number', column: 'slot_id', key: ['id'], exported: whole },
  // Derived from the messages.
  ofNumber('sent_days', ['day'], 'none'),
  ofAccount('idempotency_keys', ['key'], 'none'),
  walked('message_traces', 'message_id', 'none'),
  ofNumber('send_limits', ['slot_id'], 'none'),
  ofAccount('account_limits', ['account_id'], 'none'),

  ofAccount('deliveries', ['status', 'seq'], without('answers')),
  ofAccount('webhook_lanes', ['url'], 'none'),
  ofAccount('failing_receivers', ['url']),
  ofAccount('webhooks', ['id'], without('secret', 'previous_secret', 'previous_secret_until')),
  ofNumber('formatted_webhooks', ['format'], without('options')),
  ofAccount('events', ['tx', 'seq'], without('tx')),
  walked('quarantine', 'id', without('sealed'), { withNumber: 'slot_id' }),

  {
    table: 'history_marks',
    of: 'history',
    column: 'history_id',
    key: ['chat', 'target_id', 'kind', 'author'],
    exported: whole,
  },
  {
    table: 'history_messages',
    of: 'history',
    column: 'history_id',
    key: ['message_id', 'chat', 'from_me'],
    exported: whole,
  },
  { table: 'history_chats', of: 'history', column: 'history_id', key: ['chat'], exported: whole },
  { table: 'history_imports', of: 'history', column: 'history_id', key: ['import_id'], exported: whole },
  walked('histories', 'id', whole),

  { table: 'media_pins', of: 'media', column: 'media_id', key: ['slot_id', 'seq'], exported: 'none' },
  { table: 'media_arrivals', of: 'media', column: 'media_id', key: ['media_id'], exported: whole },
  walked('media', 'id', without('object_id')),
  ofAccount('media_objects', ['fingerprint'], 'none'),
  ofAccount('media_reservations', ['id'], 'none'),

  ofNumber('known_people', ['person']),
  ofNumber('health_counts', ['starts_at']),
  ofNumber('number_health', ['slot_id'], without('link_id', 'published', 'refusals')),

  { ...ofAccount('compat_names', ['surface', 'name'], without('remembered')), withNumber: 'slot_id' },
  ofAccount('compat_templates', ['name', 'language']),
  ofNumber('device_periods', ['started_at']),
  ofAccount('number_removals', ['slot_id']),
  ofAccount('devices', ['slot_id']),

  ofAccount('api_requests', ['seq']),
  ofAccount('api_keys', ['id'], without('secret_hash')),
  ofAccount('account_billing', ['account_id']),
  ofAccount('invoices', ['id']),
  ofAccount('terms_notices', ['version']),

  ofAccount('browser_sessions', ['token_hash'], without('token_hash')),
  {
    table: 'second_factors',
    of: 'member',
    column: 'member_id',
    key: ['member_id'],
    exported: without('sealed', 'last_step'),
  },
  { table: 'recovery_codes', of: 'member', column: 'member_id', key: ['code_hash'], exported: 'none' },
  { table: 'one_time_links', of: 'member', column: 'subject', key: ['token_hash'], exported: 'none' },
  { table: 'one_time_links', of: 'invitation', column: 'subject', key: ['token_hash'], exported: 'none' },
  ofAccount('invitations', ['email']),
  ofAccount('members', ['id'], without('password_hash')),
  ofAccount('account_exports', ['id'], without('taken_until', 'media_id', 'pieces', 'failures')),
  ofAccount('account_deletions', ['account_id'], without('links')),
  ofAccount('audit_log', ['number']),
  ofAccount('data_keys', ['account_id'], 'none'),
  { table: 'accounts', of: 'account', column: 'id', key: ['id'], exported: without('password_hash') },
];

/** Tables without rows of a single account, and why their rows need no erasure. */
export const NOT_OF_ACCOUNTS: Readonly<Partial<Record<keyof Tables, string>>> = {
  schema_version: 'of the database',
  seal_markers: 'of the database',
  write_probes: 'of the database',
  workers: 'of the gateway',
  throughput: 'of the gateway',
  client_versions: 'of the gateway',
  network_drift: 'of the gateway',
  tos_versions: 'of the gateway',
  billing_settings: 'of the gateway',
  invoice_numbers: 'kept by law with the invoices that have a number',
  billing_notices: 'notices of such an invoice that the operator’s billing system has not taken yet',
  onboarding_links: 'hashes alone, dropped within hours',
  mail_outbox: 'sealed mails on their way, dropped within days',
  portal_limits: 'counts of sign-in attempts, dropped within an hour',
};
