import pg from 'pg';
import { StoreError, type StoreErrorCode } from '../errors.ts';

/**
 * Says what PostgreSQL (or the way to it) answered. Its own text is kept only for errors in the SQL itself: others quote values.
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

/** The server spoke and its session goes on; anything else leaves the connection in a state nobody knows. */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** Only these answers to COMMIT mean that it did not happen. */
export function provesRollback(error: unknown): boolean {
  return (
    leavesConnectionUsable(error) && error instanceof pg.DatabaseError && /^(?:23|40)/.test(error.code ?? '')
  );
}

/** Why a first connection failed, in a sentence for whoever set the address. */
export function connectFailure(url: string, error: unknown): StoreError {
  const { host, username, pathname } = new URL(url);
  const state = error instanceof pg.DatabaseError ? error.code : undefined;
  switch (state) {
    case undefined:
      return new StoreError('unreachable', `PostgreSQL at ${host} cannot be reached${systemCode(error)}.`);
    case '28P01':
    case '28000':
      return new StoreError(
        'access_denied',
        `PostgreSQL at ${host} refuses the user ${username}: check name and password.`,
      );
    case '3D000':
      return new StoreError('access_denied', `PostgreSQL at ${host} has no database ${pathname.slice(1)}.`);
    default:
      return new StoreError(
        'unreachable',
        `PostgreSQL at ${host} does not take connections (SQLSTATE ${state}).`,
      );
  }
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
    case '25006':
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
