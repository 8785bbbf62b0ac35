import { Kysely } from 'kysely';
import { awaitedLater, type Clock, createBoxOpener, createSemaphore, within } from '#kernel';
import { linkDialect, readerDialect } from '../driver.ts';
import { assertOneOutputPerItem, commandFailure, isStoreError, StoreError } from '../errors.ts';
import { createGroupCommit, type Group, timedCommit } from '../group-commit.ts';
import type { Tables } from '../schema/tables.ts';
import { createTransactions, limits } from '../transactions.ts';
import type { Store, StoreOptions } from '../types.ts';
import { createWriteHealth, createWriteProbe } from '../write-health.ts';
import { acquireLink, type PgLink, transact, withLink } from './link.ts';
import { createPool, type PgPool, type PoolOptions } from './pool.ts';
import { prepareDatabase } from './prepare.ts';

/** Number of connections for each purpose. */
interface Width {
  readonly batches: number;
  readonly transactions: number;
  readonly reads: number;
}

const OF_A_PROCESS: Width = { batches: 3, transactions: 4, reads: 4 };
/** Many threads and processes share one server, and each writes for a few of the numbers only. */
const OF_A_THREAD: Width = { batches: 2, transactions: 1, reads: 1 };
/** With fewer items, another transaction costs more than waiting for one in progress. */
const WORTH_ANOTHER_COMMIT = 8;
/** With so many items the server should start before this process has read everything its clients sent. */
const WORTH_LEAVING_AT_ONCE = 64;
const STATEMENT_MS = 5_000;

/** Durable even if the server's default is not; the server ends the transaction of a client that went away. */
const writing = () => ({
  synchronous_commit: 'on',
  idle_in_transaction_session_timeout: `${2 * limits.transactionMs}`,
});
/**
 * Batches find every row by key. A plan made while a table was small would scan all of it for the lifetime of the connection, while
 * the table grows by thousands of rows a second; so sequential scans are disabled here.
 */
const batching = () => ({
  ...writing(),
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
});

/** Opens the cluster store: any number of processes on one PostgreSQL. */
export async function openPostgres(url: string, options: Omit<StoreOptions, 'url'>): Promise<Store> {
  await prepareDatabase(url, options);
  return createPostgresStore(url, options, OF_A_PROCESS);
}

/** Creates the store of one more thread of a process that has opened the database. */
export function reachPostgres(url: string, options: PostgresStoreOptions): Store {
  return createPostgresStore(url, options, OF_A_THREAD);
}

type PostgresStoreOptions = Pick<StoreOptions, 'clock' | 'log' | 'masterKeys' | 'onCommit'>;

function createPostgresStore(url: string, options: PostgresStoreOptions, width: Width): Store {
  const { clock, log, masterKeys = [] } = options;
  const poolOf = (max: number, kind: Pick<PoolOptions, 'settings' | 'readOnly'>): PgPool =>
    createPool({ url, max, ...kind, statementMs: STATEMENT_MS, log });
  const batchers = poolOf(width.batches, { settings: batching() });
  // One connection more than transactions can hold, so that the check never waits for them.
  const writers = poolOf(width.transactions + 1, { settings: writing() });
  const readers = poolOf(width.reads, { readOnly: true });
  const permits = createSemaphore(width.transactions);

  async function acquireForTransaction(): Promise<PgLink> {
    await permits.acquire();
    return acquireLink(writers, permits.release);
  }

  const retry = createRetry(clock);
  const commit = (groups: readonly Group[]): Promise<unknown[][]> =>
    retry(() => writeBatch(() => acquireLink(batchers), groups));
  const write = new Kysely<Tables>({ dialect: linkDialect('postgres', acquireForTransaction) });
  const transactions = createTransactions({ db: write, clock, retry });
  const health = createWriteHealth(createWriteProbe(transactions));
  const groupCommit = createGroupCommit({
    commit: timedCommit((groups) => health.watch(commit(groups)), clock, options.onCommit),
    lanes: width.batches,
    worthAnotherLane: WORTH_ANOTHER_COMMIT,
    worthLeavingAtOnce: WORTH_LEAVING_AT_ONCE,
    keepApart: true,
    ...limits.groupCommit,
  });
  const boxes = createBoxOpener(masterKeys);
  /** Retries on another connection when one breaks: reads can be repeated. */
  const readOn = <T>(work: (link: PgLink) => Promise<T>): Promise<T> =>
    retry(() => (readers.keepsSettings ? withLink : inTransaction)(() => acquireLink(readers), work));

  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await Promise.all([groupCommit.drain(), transactions.drain()]);
    await Promise.all([batchers, writers, readers].map((pool) => pool.end()));
  }

  return {
    dialect: 'postgres',
    read: new Kysely<Tables>({
      dialect: readerDialect('postgres', (text, values) => readOn((link) => link.query(text, values))),
    }),
    ask: (reading, input) => readOn(({ session }) => reading.postgres(session, input, boxes)),
    transaction: (work) => health.watch(transactions.run(work)),
    run: groupCommit.run,
    onCommitted: () => ({ stop() {} }),
    foldLog: async () => {},
    check() {
      const usable = assertNoStandby(writers).then(health.assertWritable);
      return within(clock, limits.checkMs, usable, didNotAnswer);
    },
    shareWithThread: () => ({ dialect: 'postgres', url }),
    close: () => (closing ??= closeAll()),
  };
}

async function assertNoStandby(pool: PgPool): Promise<void> {
  const inRecovery = 'select 1 where pg_is_in_recovery()';
  const { rows } = await withLink(
    () => acquireLink(pool),
    (link) => link.query(inRecovery, []),
  );
  if (rows.length > 0)
    throw new StoreError('unavailable', 'This PostgreSQL is a standby and takes no writes.');
}

function didNotAnswer(): StoreError {
  return new StoreError('unavailable', `PostgreSQL did not answer within ${limits.checkMs} ms.`);
}

/** BEGIN travels with the first statement of the work. */
function inTransaction<T>(acquire: () => Promise<PgLink>, work: (link: PgLink) => Promise<T>): Promise<T> {
  return transact(acquire, (link) => {
    awaitedLater(link.begin());
    return work(link);
  });
}

/** Writes a batch in one transaction. */
function writeBatch(acquire: () => Promise<PgLink>, groups: readonly Group[]): Promise<unknown[][]> {
  return inTransaction(acquire, async (link) => {
    const outputs: unknown[][] = [];
    for (const group of groups) outputs.push(await runGroup(link, group));
    return outputs;
  });
}

async function runGroup(link: PgLink, { command, items }: Group): Promise<unknown[]> {
  try {
    // The caller passed these items together with this command.
    const outputs = await command.postgres(link.session, items as never[]);
    assertOneOutputPerItem(command.name, items, outputs);
    return outputs;
  } catch (error) {
    throw (
      (await link.refusal()) ?? (error instanceof StoreError ? error : commandFailure(command.name, error))
    );
  }
}

const RETRY_PAUSES_MS = [25, 100, 400, 1_000];
/** Covers a restart of the server or a failover to its standby; after a longer wait the caller should get the error. */
const RETRIED_WITHIN_MS = 2_000;

type Retry = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Repeats work that has written nothing and may succeed the next time: it lost a conflict with another transaction, or its connection
 * broke before the commit. Never repeats work whose commit has an unknown outcome.
 */
export function createRetry(clock: Pick<Clock, 'sleep' | 'monotonic'>): Retry {
  return async (work) => {
    const begunAt = clock.monotonic();
    for (const pauseMs of RETRY_PAUSES_MS) {
      try {
        return await work();
      } catch (error) {
        if (!maySucceedNextTime(error, clock.monotonic() - begunAt)) throw error;
        await clock.sleep(pauseMs);
      }
    }
    return work();
  };
}

/**
 * Retries a conflict however long it took: PostgreSQL detects a deadlock with a delay. A server that refuses writes may have become a
 * standby; the next connection leads to the primary.
 */
function maySucceedNextTime(error: unknown, tookMs: number): boolean {
  if (isStoreError(error, 'conflict')) return true;
  const isLost = isStoreError(error, 'unreachable') || isStoreError(error, 'read_only');
  return isLost && tookMs < RETRIED_WITHIN_MS;
}
