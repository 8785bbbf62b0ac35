import type { MessagePort } from 'node:worker_threads';
import type { Kysely, Transaction } from 'kysely';
import type { BoxOpener, Clock } from '#kernel';
import type { Tables } from './schema/tables.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * A hot command: many items in, one result per item out, in the same order, inside a transaction that it shares with every
 * other command waiting at that moment. What a caller may expect (refused, already there) is a result; throwing rolls the item back.
 *
 * Items of one command keep the order in which they arrived; items of different commands do not wait for each other.
 * Items and results cross a thread: plain objects and arrays of primitives and Uint8Array.
 */
export interface Command<I, O> {
  readonly name: string;
  /** What the writing of an item locks in PostgreSQL until its batch is committed, if others are likely to want the same. */
  readonly locks?: (item: I) => string;
  readonly packing?: Packing<I>;
  /** Runs inside the writer thread: prepares its statements once, then handles one batch after the other. */
  readonly sqlite: (db: SqliteSession) => (items: I[]) => O[];
  readonly postgres: (client: PgSession, items: I[]) => Promise<O[]>;
}

/**
 * How the items of a very frequent command cross to SQLite's thread: as values in a row, bytes as text of one character each. On the way
 * the names of fields and the making of buffers take longer than all that they carry.
 */
export interface Packing<I> {
  readonly pack: (item: I) => readonly (string | number | null)[];
  /** Makes an item again of what `pack` made of it. */
  readonly unpack: (packed: never) => unknown;
}

/** Any command, as seen by what only carries it. */
export type AnyCommand = Command<never, unknown>;

/** What each of the command modules exports. */
export interface CommandModule {
  readonly commands: readonly AnyCommand[];
}

/**
 * A question of more than one statement, or that takes work on what they answer. With SQLite all of it is done in the reader's thread: only
 * what was asked for crosses to the main thread, as plain data.
 */
export interface Reading<I, O> {
  readonly name: string;
  /** Runs inside the reader thread: prepares its statements once, then answers one question after the other. */
  readonly sqlite: (db: SqliteReadings, boxes: BoxOpener) => (input: I) => O;
  readonly postgres: (client: Pick<PgSession, 'look'>, input: I, boxes: BoxOpener) => Promise<O>;
}

export type AnyReading = Reading<never, unknown>;

/** What each of the reading modules exports. */
export interface ReadingModule {
  readonly readings: readonly AnyReading[];
}

/** Statements whose rows come as arrays, by the place of their columns. */
export interface SqliteReadings {
  prepare<Row extends readonly SqlValue[]>(sql: string): Omit<SqliteStatement<Row>, 'run'>;
}

export type SqlValue = null | number | string | Uint8Array;

export interface SqliteSession {
  prepare<Row>(sql: string): SqliteStatement<Row>;
  /**
   * What commands know of rows that nothing but a transaction changes beside them. All of it is forgotten when a transaction begins and
   * when a batch is rolled back; only one process ever writes to a SQLite file.
   */
  memory<Row>(name: string): RowMemory<Row>;
  /** Something that was written, for whoever listens in the thread that asked for it (`Store.onTold`); plain data, told after the commit. */
  tell(news: unknown): void;
  readonly boxes: BoxOpener;
}

export interface RowMemory<Row> {
  get(key: string): Row | undefined;
  set(key: string, row: Row): void;
}

export interface SqliteStatement<Row> {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/**
 * The transaction of a batch. Statements run in the order of the calls, and those that are not awaited before the next travel together: a way
 * to the server and back takes longer than most statements.
 */
export interface PgSession {
  query<Row>(statement: PgStatement, values: unknown[]): Promise<PgAnswer<Row>>;
  /** For a statement that changes nothing, but may lock: the first ones leave together with the beginning of the transaction. */
  look<Row>(statement: PgStatement, values: unknown[]): Promise<PgAnswer<Row>>;
  /** For a statement after an answered one whose own answer nobody needs: it travels with what comes next. Should it fail, so does the batch. */
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

/** Reads what is committed. */
export type Reader = Kysely<Tables>;
/** Reads and writes inside one transaction. */
export type Writer = Transaction<Tables>;

export interface Store {
  readonly dialect: Dialect;
  /** Never writes; sees every committed write. */
  readonly read: Reader;
  /** Like `read`, for questions that are asked very often. */
  ask<I, O>(reading: Reading<I, O>, input: I): Promise<O>;
  /**
   * For rare control-plane writes: one durable transaction, rolled back when it takes longer than five seconds. Where several processes
   * write, `work` may be run again after it was rolled back, so it does nothing but its statements.
   */
  transaction<T>(work: (trx: Writer) => Promise<T>): Promise<T>;
  /** Group commit: resolves only after the durable commit. */
  run<I, O>(command: Command<I, O>, item: I): Promise<O>;
  /**
   * Hears what the commands of this thread have told, before those who wait for them are answered. The embedded database alone tells: whoever
   * delivers needs no look at what was just written.
   */
  onTold(listener: (news: unknown) => void): { stop(): void };
  /** Leaves nothing of what was deleted in the write-ahead log of an embedded database. A server looks after its own. */
  foldLog(): Promise<void>;
  /** Readiness: bounded in time, throws when the store is unusable. */
  check(): Promise<void>;
  /** What another thread of this process needs for a store of its own on the same database: it is handed over with its `ports`. */
  shareWithThread(): SharedStore;
  /** Takes nothing new and waits for what is under way. */
  close(): Promise<void>;
}

/** A way to the same database for one more thread. */
export type SharedStore =
  | { readonly dialect: 'sqlite'; readonly writer: MessagePort; readonly reader: MessagePort }
  | { readonly dialect: 'postgres'; readonly url: string };

export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** A batch that was handed to the database, for whoever counts. */
export interface CommittedBatch {
  readonly items: number;
  readonly seconds: number;
  readonly ok: boolean;
}

export interface StoreOptions {
  /** `sqlite:/absolute/path` or `postgres://…` */
  readonly url: string;
  /** Modules with the commands; the SQLite writer thread imports them itself. */
  readonly commandModules: readonly URL[];
  /** Modules with the readings; the SQLite reader thread imports them itself. None when absent. */
  readonly readingModules?: readonly URL[];
  /** What readings and commands open boxes with. None when absent. */
  readonly masterKeys?: readonly Uint8Array[];
  readonly migrations: readonly Migration[];
  /** SQLite: a file up to this size is looked through for damaged pages first. A size that takes a tenth of a second when absent. */
  readonly checkedUpToBytes?: number;
  /** SQLite: how many megabytes the heap of each database thread may have; V8's own limit when absent. */
  readonly heapMb?: number;
  readonly clock: Clock;
  readonly log?: StoreLog;
  /** Told of every batch. */
  readonly onCommit?: (batch: CommittedBatch) => void;
}
