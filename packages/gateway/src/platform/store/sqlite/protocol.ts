import type { MessagePort } from 'node:worker_threads';
import { fromLatin1, toLatin1 } from '#kernel';
import type { StoreErrorCode } from '../errors.ts';

/** Requests from other threads to a database thread, with their answers. */
export interface Questions {
  query: {
    ask: { sql: string; parameters: readonly unknown[] };
    /** Rows, or the number of changes. */
    answer: PackedRows | { changes: number };
  };
  reading: { ask: { name: string; input: unknown }; answer: unknown };
  begin: { ask: object; answer: undefined };
  commit: { ask: object; answer: undefined };
  rollback: { ask: object; answer: undefined };
  /** Answers with the news that its commands have published. */
  batch: {
    ask: { groups: readonly NamedGroup[] };
    answer: { outputs: unknown[][]; notices: readonly unknown[] };
  };
  /** Another thread sends requests through this port from now on. */
  connect: { ask: { port: MessagePort }; answer: undefined };
  /** Liveness check; answered without waiting for a transaction. */
  answer: { ask: object; answer: undefined };
  close: { ask: object; answer: undefined };
}

/** A function cannot cross to another thread; the name of its command can. */
export interface NamedGroup {
  readonly command: string;
  readonly items: readonly unknown[];
}

export type Kind = keyof Questions;

export type Request = { [K in Kind]: { readonly id: number; readonly kind: K } & Questions[K]['ask'] }[Kind];

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: PlainError };

/** A StoreError in transit between threads, where classes are not preserved. */
export interface PlainError {
  readonly code: StoreErrorCode;
  readonly message: string;
}

/** Id of the thread's first message: its database is open, or why it failed to open. */
export const OPENING = 0;

export interface ThreadData {
  readonly path: string;
  readonly role: 'writer' | 'reader';
  /** Files up to this size are checked for damage when opened. */
  readonly checkedUpToBytes: number;
  /** Maximum time that one thread may hold a transaction. */
  readonly heldAtMostMs: number;
  readonly commandModules: readonly string[];
  readonly readingModules: readonly string[];
  readonly masterKeys: readonly Uint8Array[];
}

/** Detects a refusal by structured clone: a value contains functions or other live objects. */
export function isNotPlain(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'DataCloneError';
}

/** Columns of a result, by position. */
export interface Columns {
  readonly names: readonly string[];
  /** Positions that hold bytes. */
  readonly bytes: readonly number[];
}

/**
 * Rows in transit between threads, without column names, and with bytes as text of one character each. Repeated names, and a buffer
 * for every value, would take longer to make and read than all of the data.
 */
interface PackedRows extends Columns {
  readonly rows: readonly unknown[][];
}

/** Consumes the rows of a statement. */
export function packRows(rows: unknown[][], columns: Columns): PackedRows {
  const { bytes } = columns;
  if (bytes.length > 0) {
    for (const row of rows) {
      for (const place of bytes) {
        const value = row[place];
        if (value instanceof Uint8Array) row[place] = toLatin1(value);
      }
    }
  }
  return { ...columns, rows };
}

export function unpackRows({ names, bytes, rows }: PackedRows): Record<string, unknown>[] {
  return rows.map((values) => {
    for (const place of bytes) {
      const value = values[place];
      if (typeof value === 'string') values[place] = fromLatin1(value);
    }
    const row: Record<string, unknown> = {};
    for (const [place, name] of names.entries()) row[name] = values[place];
    return row;
  });
}
