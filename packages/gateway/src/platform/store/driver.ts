import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { StoreError } from './errors.ts';
import type { Dialect } from './types.ts';

/** One connection to a database, reserved for one caller until `release`. */
export interface Link {
  query(sql: string, parameters: readonly unknown[]): Promise<LinkAnswer>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Must not throw: a connection that cannot roll back is closed on release. */
  rollback(): Promise<void>;
  release(): void;
}

export interface LinkAnswer {
  readonly rows: unknown[];
  /** Set for a statement that changes rows and returns none. */
  readonly changes?: number | undefined;
}

/** Dialect for reads: all callers share one connection, so none waits for another's result and there is nothing to release. */
export function readerDialect(dialect: Dialect, query: Link['query']): KyselyDialect {
  const connection = new LinkConnection({
    query,
    async begin() {
      throw new StoreError('read_only', 'Reads have no transaction; use store.transaction.');
    },
    commit: async () => {},
    rollback: async () => {},
    release: () => {},
  });
  return kyselyDialect(dialect, () => ({
    ...createLinkDriver(async () => connection.link),
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
  }));
}

/** Kysely dialect over our own connections: they refuse late statements and distinguish an unknown commit from a failed one. */
export function linkDialect(dialect: Dialect, acquire: () => Promise<Link>): KyselyDialect {
  return kyselyDialect(dialect, () => createLinkDriver(acquire));
}

export function kyselyDialect(dialect: Dialect, createDriver: () => Driver): KyselyDialect {
  return dialect === 'sqlite'
    ? {
        createDriver,
        createAdapter: () => new UnlockedSqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      }
    : {
        createDriver,
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      };
}

/** Kysely serializes callers of a database file. Ours is behind threads that keep their own order. */
class UnlockedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function createLinkDriver(acquire: () => Promise<Link>): Driver {
  return {
    init: async () => {},
    async acquireConnection() {
      return new LinkConnection(await acquire());
    },
    beginTransaction: (connection) => own(connection).link.begin(),
    commitTransaction: (connection) => own(connection).commit(),
    rollbackTransaction: (connection) => own(connection).end().rollback(),
    async releaseConnection(connection) {
      own(connection).end().release();
    },
    destroy: async () => {},
  };
}

function own(connection: DatabaseConnection): LinkConnection {
  if (connection instanceof LinkConnection) return connection;
  throw new TypeError('This connection belongs to another driver.');
}

class LinkConnection implements DatabaseConnection {
  readonly link: Link;
  #over = false;
  #hasFailed = false;

  constructor(link: Link) {
    this.link = link;
  }

  /** Refuses queries from here on: one sent after the rollback would commit alone, or in another caller's transaction. */
  end(): Link {
    this.#over = true;
    return this.link;
  }

  /**
   * PostgreSQL aborts a transaction at its first failed statement, caught or not. SQLite does the same here, so that no code relies on
   * more.
   */
  async commit(): Promise<void> {
    this.end();
    if (this.#hasFailed) {
      throw new StoreError(
        'statement_failed',
        'A statement of the transaction failed, so all of it was rolled back.',
      );
    }
    await this.link.commit();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#over) {
      throw new StoreError('transaction_over', 'This transaction is over; it takes no more statements.');
    }
    const { rows, changes } = await this.link.query(query.sql, query.parameters).catch((error: unknown) => {
      this.#hasFailed = true;
      throw error;
    });
    // Kysely trusts the row type that the author of a query declares.
    const typed = rows as R[];
    return changes === undefined ? { rows: typed } : { rows: typed, numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a stream; answers here are bounded and come whole.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new StoreError('statement_failed', 'The store does not stream rows; page through them.');
  }
}
