import { StoreError, type StoreErrorCode } from '../errors.ts';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html): the low byte of every extended code. */
const primary = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  constraint: 19,
  notadb: 26,
};
const constraint = { primaryKey: 1555, rowId: 2579, unique: 2067, foreignKey: 787 };

/** Translates a failure of the database itself; SQLite's own text names tables and columns, never values. */
export function sqliteFailure(error: unknown): StoreError | undefined {
  if (error instanceof StoreError) return error;
  const code = resultCode(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  return new StoreError(meaningOf(code), `${error.message} (SQLite result ${code})`);
}

export function isInputOutputFailure(error: unknown): boolean {
  return primaryCode(error) === primary.ioerr;
}

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === primary.busy;
}

function primaryCode(error: unknown): number {
  return (resultCode(error) ?? 0) & 0xff;
}

function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

function meaningOf(code: number): StoreErrorCode {
  switch (code) {
    case constraint.unique:
    case constraint.primaryKey:
    case constraint.rowId:
      return 'unique_violation';
    case constraint.foreignKey:
      return 'foreign_key_violation';
  }
  switch (code & 0xff) {
    case primary.constraint:
      return 'constraint_violation';
    case primary.readonly:
      return 'read_only';
    case primary.notadb:
      return 'not_a_database';
    case primary.corrupt:
      return 'damaged';
    case primary.busy:
    case primary.locked:
    case primary.ioerr:
    case primary.full:
    case primary.cantopen:
      return 'unavailable';
    default:
      return 'statement_failed';
  }
}
