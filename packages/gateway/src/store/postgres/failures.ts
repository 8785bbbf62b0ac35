import pg from 'pg';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import { serversOf } from './servers.ts';

const READ_ONLY = '25006';
const WARNING = '01000';

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

/**
 * The server spoke and its session goes on; anything else leaves the connection in a state nobody knows. One that takes no writes any more may
 * have become a standby, and a new connection leads to whoever has taken its place.
 */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== READ_ONLY;
}

/**
 * What a server says along with COMMIT when it has stopped waiting for its standby, because that took longer than a statement may: it has
 * committed, and all of it is lost if the standby takes its place now.
 */
export function tellsOfDoubt({ code }: { readonly code: string | undefined }): boolean {
  return code === WARNING;
}

/** Only these answers to COMMIT mean that it did not happen. */
export function provesRollback(error: unknown): boolean {
  return (
    leavesConnectionUsable(error) && error instanceof pg.DatabaseError && /^(?:23|40)/.test(error.code ?? '')
  );
}

/** Why a first connection failed, in a sentence for whoever set the address. */
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
        ? poolerUntold(url)
        : new StoreError(
            'unreachable',
            `PostgreSQL at ${hosts} does not take connections (SQLSTATE ${state}).`,
          );
  }
}

/** As PgBouncer says it, which has no code of its own for that. */
function refusesSettings(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message);
}

/** Settings that a session was begun with do not hold. */
export function poolerUntold(url: string): StoreError {
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
