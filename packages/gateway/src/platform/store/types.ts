import type { MessagePort } from 'node:worker_threads';
import type { Kysely, Transaction } from 'kysely';
import type { BoxOpener, Clock } from '#kernel';
import type { Tables } from './schema/tables.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * A hot command: many items in, one result per item out, in the same order, inside a transaction shared with every other command
 * waiting at that moment. Expected outcomes (refused, already there) are results; throwing rolls the item back. Items of one command
 * keep their order of arrival; items of different commands do not wait for each other. Items and results cross a thread: plain objects
 * and arrays of primitives and Uint8Array.
 */
export interface Command<I, O> {
  readonly name: string;
  /** Lock that the write of an item holds in PostgreSQL until its batch is committed, if others are likely to need the same. */
  readonly locks?: (item: I) => string;
  readonly packing?: Packing<I>;
  /** Runs inside the writer thread: prepares its statements once, then handles batches one after the other. */
  readonly sqlite: (db: SqliteSession) => (items: I[]) => O[];
  readonly postgres: (client: PgSession, items: I[]) => Promise<O[]>;
}

/**
 * How items of a very frequent command cross to SQLite's thread: as positional values, bytes as text of one character each. Field
 * names and buffers would take longer to transfer than the data.
 */
export interface Packing<I> {
  readonly pack: (item: I) => readonly (string | number | null)[];
  /** Restores an item from the output of `pack`. */
  readonly unpack: (packed: never) => unknown;
}

/** Any command, for code that only passes it on. */
export type AnyCommand = Command<never, unknown>;

/** Exports of a command module. */
export interface CommandModule {
  readonly commands: readonly AnyCommand[];
}

/**
 * A read of several statements, or with work on their results. With SQLite all of it runs in the reader thread: only the result
 * crosses to the main thread, as plain data.
 */
export interface Reading<I, O> {
  readonly name: string;
  /** Runs inside the reader thread: prepares its statements once, then answers one input after the other. */
  readonly sqlite: (db: SqliteReadings, boxes: BoxOpener) => (input: I) => O;
  readonly postgres: (client: Pick<PgSession, 'look'>, input: I, boxes: BoxOpener) => Promise<O>;
}

export type AnyReading = Reading<never, unknown>;

/** Exports of a reading module. */
export interface ReadingModule {
  readonly readings: readonly AnyReading[];
}

/** Statements that return rows as arrays, by column position. */
export interface SqliteReadings {
  prepare<Row extends readonly SqlValue[]>(sql: string): Omit<SqliteStatement<Row>, 'run'>;
}

export type SqlValue = null | number | string | Uint8Array;

export interface SqliteSession {
  prepare<Row>(sql: string): SqliteStatement<Row>;
  /**
   * Row cache of commands, for rows that only transactions change otherwise. It is cleared when a transaction begins and when a batch
   * is rolled back; only one process ever writes to a SQLite file.
   */
  memory<Row>(name: string): RowCache<Row>;
  /**
   * Emits a committed change to the listeners in the thread that ran the command (`Store.onCommitted`). Plain data, emitted after the
   * commit.
   */
  notify(news: unknown): void;
  readonly boxes: BoxOpener;
}

export interface RowCache<Row> {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
}

export interface SqliteStatement<Row> {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/**
 * The transaction of a batch. Statements run in call order, and those not awaited before the next travel together: a round trip takes
 * longer than most statements.
 */
export interface PgSession {
  query<Row>(statement: PgStatement, values: unknown[]): Promise<PgAnswer<Row>>;
  /** For a statement that changes nothing, but may lock: the first ones travel together with BEGIN. */
  look<Row>(statement: PgStatement, values: unknown[]): Promise<PgAnswer<Row>>;
  /** For a statement after an answered one whose own result is not needed: it travels with the next one. Its failure fails the batch. */
  send(statement: PgStatement, values: unknown[]): void;
}

/** Parsed and planned once per connection under its name, which must be unique in the gateway. */
export interface PgStatement {
  readonly name: string;
  readonly text: string;
}

export interface PgAnswer<Row> {
  readonly rows: Row[];
  readonly changes: number;
}

/** One step of the schema; `up` runs once per database, inside a transaction, under a lock. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  up(trx: Kysely<unknown>, dialect: Dialect): Promise<void>;
}

/** Reads committed data. */
export type Reader = Kysely<Tables>;
/** Reads and writes inside one transaction. */
export type Writer = Transaction<Tables>;

export interface Store {
  readonly dialect: Dialect;
  /** Never writes; sees every committed write. */
  readonly read: Reader;
  /** Like `read`, for very frequent reads. */
  ask<I, O>(reading: Reading<I, O>, input: I): Promise<O>;
  /**
   * For rare control-plane writes: one durable transaction, rolled back when it takes longer than five seconds. With several writing
   * processes, `work` may run again after a rollback, so it must do nothing but its statements.
   */
  transaction<T>(work: (trx: Writer) => Promise<T>): Promise<T>;
  /** Group commit: resolves only after the durable commit. */
  run<I, O>(command: Command<I, O>, item: I): Promise<O>;
  /**
   * Receives what the commands of this thread emit, before their callers are answered. Only the embedded database emits: it saves the
   * delivery code a query for what was just written.
   */
  onCommitted(listener: (news: unknown) => void): { stop(): void };
  /** Removes deleted data from the write-ahead log of an embedded database. Does nothing for a server, which manages its own. */
  foldLog(): Promise<void>;
  /** Readiness: bounded in time, throws when the store is unusable. */
  check(): Promise<void>;
  /** Returns what another thread of this process needs for its own store on the same database; transfer it with its `ports`. */
  shareWithThread(): SharedStore;
  /** Refuses new work and waits for work in progress. */
  close(): Promise<void>;
}

/** Access to the same database for one more thread. */
export type SharedStore =
  | { readonly dialect: 'sqlite'; readonly writer: MessagePort; readonly reader: MessagePort }
  | { readonly dialect: 'postgres'; readonly url: string };

export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** A batch that was sent to the database, for metrics. */
export interface CommittedBatch {
  readonly items: number;
  readonly seconds: number;
  readonly ok: boolean;
}

export interface StoreOptions {
  /** `sqlite:/absolute/path` or `postgres://…` */
  readonly url: string;
  /** Modules with the commands; the SQLite writer thread imports them. */
  readonly commandModules: readonly URL[];
  /** Modules with the readings; the SQLite reader thread imports them. None when absent. */
  readonly readingModules?: readonly URL[];
  /** Keys with which readings and commands open boxes. None when absent. */
  readonly masterKeys?: readonly Uint8Array[];
  readonly migrations: readonly Migration[];
  /** SQLite: a file up to this size is checked for damaged pages first. Defaults to a size that takes a tenth of a second. */
  readonly checkedUpToBytes?: number;
  /** SQLite: heap limit of each database thread in megabytes; V8's own when absent. */
  readonly heapMb?: number;
  readonly clock: Clock;
  readonly log?: StoreLog;
  /** Called for every batch. */
  readonly onCommit?: (batch: CommittedBatch) => void;
}
