import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import { linkDialect } from '../driver.ts';
import { migrate, tellMigrations } from '../schema/migrate.ts';
import { limits } from '../transactions.ts';
import type { SharedStore, Store, StoreOptions } from '../types.ts';
import { makeUsableDirectory } from './file-locks.ts';
import { createSqliteStore, createWriterLink } from './store.ts';
import { reachThread, startThread } from './thread.ts';

/** Checked within a tenth of a second. */
const CHECKED_UP_TO_BYTES = 64 * 1024 * 1024;
/** The one who holds the writer gives up first, and knows then what became of its transaction. */
const GRACE_MS = 2_000;

/** The embedded store: a writer thread and a reader thread on one file. */
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
    // Nobody else has the writer yet.
    const schema = new Kysely<unknown>({
      dialect: linkDialect('sqlite', async () => createWriterLink(writer.current(), () => {})),
    });
    const applied = await schema
      .transaction()
      .execute((trx) => migrate({ trx, dialect: 'sqlite', migrations, clock }));
    tellMigrations(options.log, applied);
    // Not before: a migration may take as long as it likes.
    writer.keepAlive();
    reader.keepAlive();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** The same store in another thread, by the ways that its owner has made for it. */
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
