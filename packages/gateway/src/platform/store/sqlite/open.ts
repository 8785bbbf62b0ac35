import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { parseStoreUrl } from '../address.ts';
import { linkDialect } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { describeMigrations, migrate } from '../schema/migrate.ts';
import { limits } from '../transactions.ts';
import type { SharedStore, Store, StoreOptions } from '../types.ts';
import { sqliteFailure } from './failures.ts';
import { createSqliteStore, createWriterLink } from './sqlite-store.ts';
import { reachThread, startThread } from './thread.ts';

/** Checked within a tenth of a second. */
const CHECKED_UP_TO_BYTES = 64 * 1024 * 1024;
/** The thread that holds the writer times out first, and then knows the outcome of its transaction. */
const GRACE_MS = 2_000;

/** Opens the embedded store: a writer thread and a reader thread on one file. */
export async function openSqlite(path: string, options: Omit<StoreOptions, 'url'>): Promise<Store> {
  const { clock, migrations, onCommit, log, heapMb } = options;
  makeUsableDirectory(dirname(path));
  const { commandModules, readingModules = [], masterKeys = [] } = options;
  const heldAtMostMs = limits.transactionMs + GRACE_MS;
  const nothing = {
    commandModules: [],
    readingModules: [],
    masterKeys,
    checkedUpToBytes: -1,
    heldAtMostMs,
  };
  const { checkedUpToBytes = CHECKED_UP_TO_BYTES } = options;
  const writing = { ...nothing, commandModules: commandModules.map(String), checkedUpToBytes };
  const reading = { ...nothing, readingModules: readingModules.map(String) };
  const writer = startThread({ path, role: 'writer', ...writing }, { log, heapMb });
  const reader = startThread({ path, role: 'reader', ...reading }, { log, heapMb });
  const store = createSqliteStore({
    ...{ writer, reader, clock, onCommit },
    shareWithThread: () => ({ dialect: 'sqlite', writer: writer.connect(), reader: reader.connect() }),
  });
  try {
    await Promise.all([writer.opened, reader.opened]);
    // No other thread has the writer yet.
    const schema = new Kysely<unknown>({
      dialect: linkDialect('sqlite', async () => createWriterLink(writer.current(), () => {})),
    });
    const applied = await schema
      .transaction()
      .execute((trx) => migrate({ trx, dialect: 'sqlite', migrations, clock }));
    describeMigrations(options.log, applied);
    // Starts after migrations, which may take any time.
    writer.keepAlive();
    reader.keepAlive();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Creates the same store in another thread, through the ports that its owner has made for it. */
export function reachSqlite(
  { writer, reader }: Extract<SharedStore, { dialect: 'sqlite' }>,
  options: Pick<StoreOptions, 'clock' | 'onCommit'>,
): Store {
  return createSqliteStore({
    ...options,
    writer: reachThread(writer),
    reader: reachThread(reader),
    shareWithThread() {
      throw new TypeError('The database threads belong to another thread; ask for a way there.');
    },
  });
}

export interface FileLock {
  release(): void;
}

/** Keeps references: an unreferenced connection is garbage-collected, and its lock released. */
const held = new Set<DatabaseSync>();

/** Locks a data directory for this process. */
export function lockDataDir(directory: string): FileLock {
  makeUsableDirectory(directory);
  return hold(
    join(directory, 'parley.lock'),
    `Another Parley uses the data directory ${directory}; stop it or choose another directory.`,
  );
}

/**
 * Locks an embedded database for this process: a writer relies on being the only one. The lock file is beside the database file, so
 * that it is the same from every data directory and path. A database server needs no lock.
 */
export function lockDatabase(url: string): FileLock {
  const address = parseStoreUrl(url);
  if (address.dialect !== 'sqlite') return { release() {} };
  makeUsableDirectory(dirname(address.path));
  const file = realFile(address.path);
  makeUsableDirectory(dirname(file));
  return hold(
    `${file}.lock`,
    `Another Parley uses the database ${file}; stop it or choose another database.`,
  );
}

/** Allows one backup at a time per data directory, beside the gateway that uses it. */
export function lockBackups(directory: string): FileLock {
  makeUsableDirectory(directory);
  return hold(join(directory, 'backup.lock'), `Another backup of ${directory} is being made.`);
}

/** Resolves links to the file itself, which may not exist yet. */
function realFile(path: string): string {
  const here = join(realpathSync(dirname(path)), basename(path));
  const isLink = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? realFile(resolve(dirname(here), readlinkSync(here))) : here;
}

/** The lock is an open exclusive transaction on a small file: the operating system releases it when the process ends for any reason. */
function hold(file: string, refusal: string): FileLock {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (sqliteFailure(error)?.code !== 'unavailable') throw error;
    throw new StoreError('data_dir_in_use', refusal);
  }
  held.add(db);
  return {
    release() {
      if (held.delete(db)) db.close();
    },
  };
}

/** Creates a missing directory with owner-only permissions: it will hold credentials. */
export function makeUsableDirectory(directory: string, name = 'data directory'): void {
  try {
    makeLevels(resolve(directory));
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new StoreError('data_dir_unusable', `The ${name} ${directory} cannot be written to${reason}.`);
  }
}

/** Creates level by level: a recursive mkdir of Node.js never ends in a file system that takes no folders, like /proc. */
function makeLevels(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(directory);
  if (!existsSync(above)) makeLevels(above);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const isMadeByAnother =
      (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(directory).isDirectory();
    if (!isMadeByAnother) throw error;
  }
}
