import pg from 'pg';
import { serversOf } from '../address.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';

const READ_ONLY = '25006';
const WARNING = '01000';

/**
 * Translates an error of PostgreSQL or of its connection. Keeps the original text only for errors in the SQL itself: others quote
 * values.
 */
export function postgresFailure(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof pg.DatabaseError)) {
    return new StoreError('unreachable', `The connection to PostgreSQL failed${systemCode(error)}.`);
  }
  const state = error.code ?? '';
  if (error.severity !== 'ERROR') {
    return new StoreError('unreachable', `PostgreSQL ended the connection (SQLSTATE ${state}).`);
  }
  const place = [error.table, error.column, error.constraint].filter(Boolean).join(', ');
  const detail = state.startsWith('42')
    ? error.message
    : `PostgreSQL refused a statement${place && ` on ${place}`}`;
  return new StoreError(meaningOf(state), `${detail} (SQLSTATE ${state})`);
}

/**
 * True when the server answered and its session continues; after any other error the state of the connection is unknown. A server that
 * refuses writes may have become a standby, and a new connection leads to the new primary.
 */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== READ_ONLY;
}

/**
 * Warning that accompanies COMMIT when the server has stopped waiting for its standby (statement timeout): it has committed, and the
 * commit is lost if the standby takes over now.
 */
export function leavesOutcomeUnknown({ code }: { readonly code: string | undefined }): boolean {
  return code === WARNING;
}

/** Only these errors of COMMIT prove that it did not happen. */
export function provesRollback(error: unknown): boolean {
  return (
    leavesConnectionUsable(error) && error instanceof pg.DatabaseError && /^(?:23|40)/.test(error.code ?? '')
  );
}

/** Explains a failed first connection to the person who set the address. */
export function connectFailure(url: string, error: unknown): StoreError {
  const { hosts, urls, pooled } = serversOf(url);
  const { username, pathname } = new URL(urls[0]);
  if (error instanceof StoreError)
    return new StoreError(error.code, `PostgreSQL at ${hosts} cannot be reached, or takes no writes there.`);
  const state = error instanceof pg.DatabaseError ? error.code : undefined;
  switch (state) {
    case undefined:
      return new StoreError('unreachable', `PostgreSQL at ${hosts} cannot be reached${systemCode(error)}.`);
    case '28P01':
    case '28000':
      return new StoreError(
        'access_denied',
        `PostgreSQL at ${hosts} refuses the user ${username}: check name and password.`,
      );
    case '3D000':
      return new StoreError('access_denied', `PostgreSQL at ${hosts} has no database ${pathname.slice(1)}.`);
    default:
      return !pooled && refusesSettings(error)
        ? missingPoolerSetting(url)
        : new StoreError(
            'unreachable',
            `PostgreSQL at ${hosts} does not take connections (SQLSTATE ${state}).`,
          );
  }
}

/** Text of PgBouncer, which has no code of its own for this. */
function refusesSettings(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message);
}

/** Reports that session settings from the startup packet have no effect. */
export function missingPoolerSetting(url: string): StoreError {
  return new StoreError(
    'pooler_untold',
    `What answers at ${serversOf(url).hosts} is a pooler, which keeps no settings of a session: add ?pooler=transaction to the address, or lead past it.`,
  );
}

function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${error.code})` : '';
}

function meaningOf(state: string): StoreErrorCode {
  switch (state) {
    case '23505':
      return 'unique_violation';
    case '23503':
      return 'foreign_key_violation';
    case READ_ONLY:
      return 'read_only';
    case '40001':
    case '40P01':
      return 'conflict';
  }
  switch (state.slice(0, 2)) {
    case '23':
      return 'constraint_violation';
    case '08':
      return 'unreachable';
    // Insufficient resources, not in a usable state, operator intervention (also timeouts), system error.
    case '53':
    case '55':
    case '57':
    case '58':
      return 'unavailable';
    default:
      return 'statement_failed';
  }
}
