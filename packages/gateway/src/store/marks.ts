import { StoreError } from './errors.ts';
import type { SchemaVersionTable } from './schema/tables.ts';

/**
 * Versions that no schema ever has. While one of them is among a database's versions, no Parley opens it, of whatever release: to an
 * older one it is a database of a newer. The name of such a row is the id of the move that it belongs to.
 */
export const MARKS = {
  /** What is here is being copied elsewhere. */
  movingAway: 1_000_001,
  /** What was here lives elsewhere now. A number that ran in both places would break its own encryption. */
  movedAway: 1_000_002,
  /** What is here is not complete yet. */
  movingIn: 1_000_003,
} as const;

export function isMark({ version }: Pick<SchemaVersionTable, 'version'>): boolean {
  return version >= MARKS.movingAway;
}

export function refuseMark(version: number): void {
  switch (version) {
    case MARKS.movingAway:
      throw new StoreError(
        'being_moved',
        'This database is being moved to another one; finish that with parley migrate-store, or take it back with parley migrate-store --give-up.',
      );
    case MARKS.movedAway:
      throw new StoreError(
        'moved_away',
        'This database was moved to another one by parley migrate-store; set PARLEY_DATABASE_URL to that.',
      );
    case MARKS.movingIn:
      throw new StoreError(
        'being_moved',
        'This database is being filled by parley migrate-store; finish that first.',
      );
  }
}
