import { sql } from 'kysely';
import { createSystemClock } from '#kernel';
import { StoreError } from '../errors.ts';
import { migrations } from '../migrations/index.ts';
import { openStore } from '../open.ts';
import type { Store, StoreOptions, Writer } from '../types.ts';
import type { TestDatabase } from './databases.ts';

/** A store with all of Parley's tables, empty at first. */
export interface StoreView {
  readonly store: Store;
  readonly url: string;
  /** Afterwards it refuses writes of the previous test. */
  giveBack(): Promise<void>;
}

type Opening = Pick<StoreOptions, 'commandModules' | 'readingModules' | 'masterKeys'>;

interface Opened {
  readonly store: Store;
  readonly database: TestDatabase;
  /** As created; a test that changes the schema keeps the store. */
  readonly schema: string;
}

const idle = new Map<string, Opened[]>();

/** Opening a store takes the processor time of several tests, emptying one hardly any: so stores are reused by later tests. */
export async function borrowStore(
  createDatabase: () => Promise<TestDatabase>,
  options: Opening,
): Promise<StoreView> {
  const { commandModules, readingModules = [], masterKeys = [] } = options;
  const kind = [createDatabase.name, ...commandModules, ...readingModules, ...masterKeys].join(' ');
  const opened = idle.get(kind)?.pop() ?? (await open(createDatabase, options));
  const { store, end } = lend(opened.store);
  return {
    store,
    url: opened.database.url,
    async giveBack() {
      const isOpen = await end();
      if (isOpen && (await empty(opened))) idle.set(kind, [...(idle.get(kind) ?? []), opened]);
      else await discard(opened);
    },
  };
}

async function open(createDatabase: () => Promise<TestDatabase>, options: Opening): Promise<Opened> {
  const database = await createDatabase();
  const store = await openStore({ ...options, url: database.url, migrations, clock: createSystemClock() });
  return { store, database, schema: await schemaOf(store) };
}

async function discard({ store, database }: Opened): Promise<void> {
  await store.close();
  await database.drop();
}

/** Work in progress at the end of a test must not reach the next one. */
function lend(store: Store): { store: Store; end(): Promise<boolean> } {
  const underWay = new Set<Promise<unknown>>();
  let isOver = false;
  let isOpen = true;

  async function follow<T>(begin: () => Promise<T>): Promise<T> {
    if (isOver) throw new StoreError('unavailable', 'The store was given back.');
    const work = begin();
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  return {
    store: {
      ...store,
      transaction: (work) => follow(() => store.transaction(work)),
      run: (command, item) => follow(() => store.run(command, item)),
      close() {
        isOpen = false;
        return store.close();
      },
    },
    async end() {
      isOver = true;
      await Promise.allSettled(underWay);
      return isOpen;
    },
  };
}

const SCHEMA = {
  sqlite: sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_master where type in ('table', 'trigger') and name not like 'sqlite_%' order by name`,
  postgres: sql<{ name: string; definition: string }>`
    select relname as name, '' as definition from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by relname`,
};

async function schemaOf(store: Store): Promise<string> {
  const { rows } = await SCHEMA[store.dialect].execute(store.read);
  return JSON.stringify(rows);
}

/** False when it is no longer in its original state. */
async function empty({ store, schema }: Opened): Promise<boolean> {
  try {
    if ((await schemaOf(store)) !== schema) return false;
    const tables: { name: string }[] = JSON.parse(schema);
    const names = tables.map(({ name }) => name).filter((name) => name !== 'schema_version');
    await store.transaction(async (trx) => {
      if (store.dialect === 'postgres') await dropParts(trx);
      const filled = await filledOf(trx, names);
      if (filled.length > 0) await EMPTYING[store.dialect](trx, filled);
    });
    await store.check();
    return true;
  } catch {
    return false;
  }
}

/** Partitions that jobs have created; the one for other rows is part of the schema. */
async function dropParts(trx: Writer): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relispartition and relkind = 'r' and pg_get_expr(relpartbound, oid) <> 'DEFAULT'`.execute(
    trx,
  );
  for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(trx);
}

async function filledOf(trx: Writer, names: readonly string[]): Promise<string[]> {
  const each = names.map(
    (name) => sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)})`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(each, sql` union all `)}`.execute(trx);
  return rows.map(({ name }) => name);
}

const EMPTYING = {
  async sqlite(trx: Writer, names: readonly string[]): Promise<void> {
    await sql`pragma defer_foreign_keys = on`.execute(trx);
    for (const name of names) await sql`delete from ${sql.table(name)}`.execute(trx);
    const counters = await sql`select 1 from sqlite_master where name = 'sqlite_sequence'`.execute(trx);
    if (counters.rows.length > 0) await sql`delete from sqlite_sequence`.execute(trx);
  },
  async postgres(trx: Writer, names: readonly string[]): Promise<void> {
    await sql`truncate ${sql.join(names.map((name) => sql.table(name)))} restart identity cascade`.execute(
      trx,
    );
  },
};
