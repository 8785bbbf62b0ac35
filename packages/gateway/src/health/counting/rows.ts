import type { NumberHealthRow } from '#store';

/** Of `number_health`, in the order in which they are written. */
export const ROW_COLUMNS = [
  'slot_id',
  'account_id',
  'session_id',
  'link_id',
  'linked_at',
  'is_linked',
  'state',
  'since',
  'told',
  'version',
  'due_at',
  'lock_type',
  'lock_until',
  'ban_kind',
  'ban_code',
  'ban_until',
  'quota',
  'quota_used',
  'quota_ends',
  'quota_warning',
  'quota_spent',
  'refusals',
  'paused_until',
  'repeated_until',
  'trouble_until',
  'pacing',
  'inbound_at',
] as const satisfies readonly (keyof NumberHealthRow)[];

/** Their types in PostgreSQL. */
const TEXTS: ReadonlySet<string> = new Set([
  'slot_id',
  'account_id',
  'session_id',
  'link_id',
  'state',
  'told',
  'lock_type',
  'ban_kind',
  'quota_warning',
  'refusals',
  'pacing',
]);

export function typeOf(column: (typeof ROW_COLUMNS)[number]): 'text' | 'bigint' {
  return TEXTS.has(column) ? 'text' : 'bigint';
}
