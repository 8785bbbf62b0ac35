export type StoreErrorCode =
  // Reaching and opening.
  | 'bad_url'
  | 'data_dir_unusable'
  | 'data_dir_in_use'
  | 'not_a_database'
  | 'damaged'
  | 'access_denied'
  | 'unreachable'
  | 'pooler_untold'
  | 'unsupported_server'
  | 'newer_schema'
  // Moving to another database.
  | 'being_moved'
  | 'moved_away'
  | 'not_movable'
  // Backup and restore.
  | 'in_backup'
  | 'restored_elsewhere'
  | 'not_restorable'
  // Results of a statement.
  | 'unique_violation'
  | 'foreign_key_violation'
  | 'constraint_violation'
  | 'read_only'
  | 'conflict'
  | 'statement_failed'
  // Running.
  | 'command_failed'
  | 'unknown_command'
  | 'queue_full'
  | 'transaction_timeout'
  | 'transaction_over'
  | 'commit_unknown'
  | 'unavailable'
  | 'closed';

/**
 * A failure of the store. Only `commit_unknown` leaves open whether the write happened; after every other code nothing was written.
 * The text names tables and codes, never a stored value.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function isStoreError(error: unknown, code: StoreErrorCode): error is StoreError {
  return error instanceof StoreError && error.code === code;
}

/** Failures of the database itself, which a later attempt may not meet; all others are bugs. */
const PASSING = new Set<StoreErrorCode>([
  'unreachable',
  'unavailable',
  'read_only',
  'queue_full',
  'conflict',
  'transaction_timeout',
  'commit_unknown',
  'closed',
]);

export function isPassing(error: unknown): error is StoreError {
  return error instanceof StoreError && PASSING.has(error.code);
}

/** An exception in a command's code. Keeps the command and position but drops the thrown text, which may quote stored values. */
export function commandFailure(command: string, thrown: unknown): StoreError {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  const place =
    thrown instanceof Error
      ? thrown.stack?.split('\n').find((line) => line.startsWith('    at '))
      : undefined;
  return new StoreError(
    'command_failed',
    `The command ${command} failed: ${name} ${place?.trim() ?? ''}`.trimEnd(),
  );
}

export function assertOneOutputPerItem(
  command: string,
  items: readonly unknown[],
  outputs: readonly unknown[],
): void {
  if (outputs.length === items.length) return;
  throw new StoreError(
    'command_failed',
    `The command ${command} gave ${outputs.length} results for ${items.length} items.`,
  );
}
