import type { Tables } from '#store';

/** Whose id stands in the column by which the rows of a table are found. */
export type Scope = 'account' | 'number' | 'member' | 'invitation' | 'history' | 'link' | 'media';

/** A table with rows of accounts: how those of one account are found, and what becomes of them. */
export interface Holding {
  readonly table: keyof Tables;
  readonly of: Scope;
  readonly column: string;
  /** What tells its rows apart, in the order of the index that leads to them. */
  readonly key: readonly string[];
  /** No index leads to them: the table is walked through along its key, in windows. */
  readonly walked?: true;
  /** They leave with their number; by which column they are found then. */
  readonly withNumber?: 'slot_id';
  /** Columns that an export leaves out; `none`: it tells nothing that is not told elsewhere, or is a secret as a whole. */
  readonly exported: 'none' | { readonly without: readonly string[] };
}

const whole = { without: [] } as const;
const without = (...columns: string[]) => ({ without: columns });

/** Found by an index that begins with the account. */
function ofAccount(
  table: keyof Tables,
  key: readonly string[],
  exported: Holding['exported'] = whole,
): Holding {
  return { table, of: 'account', column: 'account_id', key, exported };
}

function ofNumber(
  table: keyof Tables,
  key: readonly string[],
  exported: Holding['exported'] = whole,
): Holding {
  return { table, of: 'number', column: 'slot_id', key, exported, withNumber: 'slot_id' };
}

/** Without an index that begins with the account. */
function walked(
  table: keyof Tables,
  key: string,
  exported: Holding['exported'],
  more: Pick<Holding, 'withNumber'> = {},
): Holding {
  return { table, of: 'account', column: 'account_id', key: [key], walked: true, exported, ...more };
}

/**
 * All that accounts have, in the order in which it can be erased: nothing goes before what refers to it. A test holds this against the tables
 * that there are.
 */
export const HOLDINGS: readonly Holding[] = [
  ofAccount('sessions', ['slot_id'], without('worker', 'fence', 'link_id')),
  walked('onboardings', 'id', without('shown', 'answer', 'worker', 'link_id'), { withNumber: 'slot_id' }),
  // Nothing but what is needed to be the linked device.
  { table: 'network_journal', of: 'link', column: 'link_id', key: ['digest'], exported: 'none' },
  { table: 'network_records', of: 'link', column: 'link_id', key: ['kind', 'id'], exported: 'none' },
  { table: 'network_links', of: 'link', column: 'link_id', key: ['link_id'], exported: 'none' },
  { table: 'ending_links', of: 'link', column: 'link_id', key: ['link_id'], exported: 'none' },

  { table: 'outbox', of: 'number', column: 'slot_id', key: ['seq'], exported: without('sealed') },
  { table: 'messages', of: 'number', column: 'slot_id', key: ['id'], exported: whole },
  // What it says is said by the messages.
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
  ofNumber('number_health', ['slot_id'], without('link_id', 'told', 'refusals')),

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

/** Tables without a row that is one account's, and why what they may say of one needs no erasing. */
export const NOT_OF_ACCOUNTS: Readonly<Partial<Record<keyof Tables, string>>> = {
  schema_version: 'of the database',
  seal_markers: 'of the database',
  write_probes: 'of the database',
  workers: 'of the gateway',
  throughput: 'of the gateway',
  client_versions: 'of the gateway',
  tos_versions: 'of the gateway',
  billing_settings: 'of the gateway',
  invoice_numbers: 'kept by law with the invoices that have a number',
  billing_notices: 'what the operator’s billing system has not been told yet of such an invoice',
  onboarding_links: 'hashes alone, dropped within hours',
  mail_outbox: 'sealed mails on their way, dropped within days',
  portal_limits: 'how often somebody tried to sign in, dropped within an hour',
};
