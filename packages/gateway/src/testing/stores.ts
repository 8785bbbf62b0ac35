import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { readEnvironment } from '#config';
import { READINGS } from '#events/testing';
import { createSystemClock } from '#kernel';
import { migrations, openStore, type Store } from '#platform/store';
import {
  borrowStore,
  createPostgresDatabase,
  createSqliteDatabase,
  providePostgresTemplate,
  requirePostgres,
  type StoreView,
  type TestDatabase,
} from '#platform/store/testing';

/** Every one is a copy of one that was migrated once: migrating takes longer than most tests. */
const DATABASES = {
  SQLite: async () => {
    sqliteTemplate ??= provideSqliteTemplate();
    return createSqliteDatabase(await sqliteTemplate);
  },
  PostgreSQL: async () => {
    const server = requirePostgres(readEnvironment().PARLEY_TEST_POSTGRES_URL);
    postgresTemplate ??= providePostgresTemplate(server, TEMPLATE, migrate);
    return createPostgresDatabase(server, await postgresTemplate);
  },
};

const TEMPLATES = join(import.meta.dirname, '../../../../node_modules/.cache/parley-test-databases');
let sqliteTemplate: Promise<string> | undefined;
let postgresTemplate: Promise<string> | undefined;
/** The name changes with every change of a migration. */
const TEMPLATE = `parley_template_${hashOf(globSync('../platform/store/migrations/**/*.ts', { cwd: import.meta.dirname }))}`;

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Created by the first test that needs it, and cached for later runs. */
async function provideSqliteTemplate(): Promise<string> {
  const template = join(TEMPLATES, `${TEMPLATE}.db`);
  if (existsSync(template)) return template;
  const { url, drop } = await createSqliteDatabase();
  await migrate(url);
  mkdirSync(TEMPLATES, { recursive: true });
  const unfinished = `${template}.${process.pid}.${threadId}`;
  copyFileSync(url.slice('sqlite:'.length), unfinished);
  renameSync(unfinished, template);
  await drop();
  return template;
}

async function migrate(url: string): Promise<void> {
  const clock = createSystemClock();
  const store = await openStore({ url, commandModules: [], ...READINGS, migrations, clock });
  await store.close();
}

export type DatabaseName = keyof typeof DATABASES;
export const databaseNames = Object.keys(DATABASES) as DatabaseName[];

export function createDatabase(name: DatabaseName): Promise<TestDatabase> {
  return DATABASES[name]();
}

/** A database with all of Parley's tables, empty at first. */
export interface TestStore {
  readonly store: Store;
  readonly url: string;
  /** The same database as another process sees it; closed with the first. */
  openAgain(): Promise<Store>;
}

/** Opening a database costs more than most tests: those that do not mind each other's rows share one. */
export type Lifetime = 'shared by all tests' | 'new for each test';

export function useStore(
  name: DatabaseName,
  lifetime: Lifetime = 'shared by all tests',
  commandModules: readonly URL[] = [],
): TestStore {
  const [before, after] =
    lifetime === 'shared by all tests'
      ? ([beforeAll, afterAll] as const)
      : ([beforeEach, afterEach] as const);
  let borrowed: StoreView | undefined;
  let others: Store[] = [];

  function current(): StoreView {
    if (!borrowed) throw new Error('The store exists only while a test runs.');
    return borrowed;
  }

  before(async () => {
    borrowed = await borrowStore(DATABASES[name], { commandModules, ...READINGS });
  });
  after(async () => {
    await Promise.all(others.map((store) => store.close()));
    others = [];
    await borrowed?.giveBack();
    borrowed = undefined;
  });

  return {
    get store() {
      return current().store;
    },
    get url() {
      return current().url;
    },
    async openAgain() {
      const { url } = current();
      const clock = createSystemClock();
      const store = await openStore({ url, commandModules, ...READINGS, migrations, clock });
      others.push(store);
      return store;
    },
  };
}

/** The same story on both databases. */
export function describeOnEachDatabase(
  title: string,
  tests: (testStore: TestStore, name: DatabaseName) => void,
  lifetime?: Lifetime,
  commandModules?: readonly URL[],
): void {
  for (const name of databaseNames) {
    describe(`${title} (${name})`, () => tests(useStore(name, lifetime, commandModules), name));
  }
}
