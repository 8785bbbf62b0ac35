import type { MessagePort } from 'node:worker_threads';
import { fromLatin1, toLatin1 } from '#kernel';
import type { StoreErrorCode } from '../errors.ts';

/** What other threads ask of a database thread, and what each question is answered with. */
export interface Questions {
  query: {
    ask: { sql: string; parameters: readonly unknown[] };
    /** Rows, or how many were changed. */
    answer: PackedRows | { changes: number };
  };
  reading: { ask: { name: string; input: unknown }; answer: unknown };
  begin: { ask: object; answer: undefined };
  commit: { ask: object; answer: undefined };
  rollback: { ask: object; answer: undefined };
  /** With what its commands have told. */
  batch: {
    ask: { groups: readonly NamedGroup[] };
    answer: { outputs: unknown[][]; told: readonly unknown[] };
  };
  /** Another thread asks by this port from now on. */
  connect: { ask: { port: MessagePort }; answer: undefined };
  /** Whether it answers at all; nobody has to wait for a transaction for that. */
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

/** A StoreError on its way between threads, where classes do not survive. */
export interface PlainError {
  readonly code: StoreErrorCode;
  readonly message: string;
}

/** The id of the thread's first words: its database is open, or why not. */
export const OPENING = 0;

export interface ThreadData {
  readonly path: string;
  readonly role: 'writer' | 'reader';
  /** The pages of a file up to this size are checked when it is opened. */
  readonly checkedUpToBytes: number;
  /** How long one thread may keep the others from it by a transaction. */
  readonly heldAtMostMs: number;
  readonly commandModules: readonly string[];
  readonly readingModules: readonly string[];
  readonly masterKeys: readonly Uint8Array[];
}

/** So a thread refuses to send what has functions or other objects with a life of their own in it. */
export function isNotPlain(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'DataCloneError';
}

/** What a statement answers, by the place of its columns. */
export interface Columns {
  readonly names: readonly string[];
  /** Those that hold bytes. */
  readonly bytes: readonly number[];
}

/**
 * Rows on their way between threads: without the names of their columns, and bytes as text of one character each. The names again and
 * again, and a buffer for every value, would take longer to make and to read than all that the rows hold.
 */
interface PackedRows extends Columns {
  readonly rows: readonly unknown[][];
}

/** Takes rows as they come from the statement, and uses them up. */
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
