import { afterEach, beforeEach } from 'vitest';
import { createSystemClock } from '#kernel';
import { openStore } from '../../open.ts';
import type { Store, StoreOptions } from '../../types.ts';
import type { TestDatabase } from '../index.ts';
import { notesMigration } from './notebook.ts';

/** A dialect under test. */
export interface Target {
  createDatabase(): Promise<TestDatabase>;
  /** Number of transactions that wrote notes so far, as the database itself counts them. */
  countCommits(database: TestDatabase, store: Store): Promise<number>;
  /** Opens it another way than by default. */
  open?(options: StoreOptions): Promise<Store>;
}

/** An empty database per test. Every store opened on it is closed before it is dropped. */
export interface Harness {
  readonly database: TestDatabase;
  open(overrides?: Partial<StoreOptions>): Promise<Store>;
  countCommits(store: Store): Promise<number>;
}

export function createHarness(target: Target): Harness {
  let database: TestDatabase | undefined;
  let stores: Store[] = [];

  beforeEach(async () => {
    database = await target.createDatabase();
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
    await database?.drop();
    database = undefined;
  });

  function current(): TestDatabase {
    if (!database) throw new Error('The database exists only while a test runs.');
    return database;
  }

  return {
    get database() {
      return current();
    },
    async open(overrides) {
      const { open = openStore } = target;
      const store = await open({
        url: current().url,
        commandModules: [new URL('./write-commands.ts', import.meta.url)],
        migrations: [notesMigration],
        clock: createSystemClock(),
        ...overrides,
      });
      stores.push(store);
      return store;
    },
    countCommits: (store) => target.countCommits(current(), store),
  };
}
