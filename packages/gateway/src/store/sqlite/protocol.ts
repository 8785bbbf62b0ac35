import type { StoreErrorCode } from '../errors.ts';
import type { PackedRows } from './rows.ts';

/** What the main thread asks of a database thread, and what each question is answered with. */
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
  batch: { ask: { groups: readonly NamedGroup[] }; answer: unknown[][] };
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
  readonly commandModules: readonly string[];
  readonly readingModules: readonly string[];
  readonly masterKeys: readonly Uint8Array[];
}
