import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseStoreUrl } from '../address.ts';
import { StoreError } from '../errors.ts';
import { sqliteFailure } from './failures.ts';

export interface FileLock {
  release(): void;
}

/** A connection that nobody refers to is collected, and its lock with it. */
const held = new Set<DatabaseSync>();

/** Keeps a data directory, with all that passes through it, for this process alone. */
export function lockDataDir(directory: string): FileLock {
  makeUsableDirectory(directory);
  return hold(
    join(directory, 'parley.lock'),
    `Another Parley uses the data directory ${directory}; stop it or choose another directory.`,
  );
}

/**
 * Keeps an embedded database for this process alone: whoever writes to it relies on being the only one. The lock lies beside the file
 * itself, so that it is the same from every data directory and by every path. A server looks after its clients by itself.
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

/** One backup at a time passes through a data directory, beside the gateway that uses it. */
export function lockBackups(directory: string): FileLock {
  makeUsableDirectory(directory);
  return hold(join(directory, 'backup.lock'), `Another backup of ${directory} is being made.`);
}

/** The file itself, which may not exist yet, also where links lead to it. */
function realFile(path: string): string {
  const here = join(realpathSync(dirname(path)), basename(path));
  const isLink = lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? realFile(resolve(dirname(here), readlinkSync(here))) : here;
}

/**
 * The lock is an open exclusive transaction on a small file, so the operating system itself drops it when the process ends, however it
 * ends.
 */
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

/** Makes the data directory when it is missing, for its owner alone: it will hold credentials. */
export function makeUsableDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new StoreError(
      'data_dir_unusable',
      `The data directory ${directory} cannot be written to${reason}.`,
    );
  }
}
