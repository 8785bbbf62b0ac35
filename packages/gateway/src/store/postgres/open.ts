import { Kysely } from 'kysely';
import { awaitedLater, createBoxOpener, createSemaphore, within } from '#kernel';
import { linkDialect, readerDialect } from '../driver.ts';
import { assertOneOutputPerItem, commandFailure, StoreError } from '../errors.ts';
import { createGroupCommit, type Group } from '../group-commit.ts';
import type { Tables } from '../schema/tables.ts';
import { timedCommit } from '../timed-commit.ts';
import { createTransactions, limits } from '../transactions.ts';
import type { Store, StoreOptions } from '../types.ts';
import { createWriteHealth, createWriteProbe } from '../write-health.ts';
import { acquireLink, type PgLink, transact, withLink } from './link.ts';
import { createPool, type PgPool, type PoolOptions } from './pool.ts';
import { prepareDatabase } from './prepare.ts';
import { createRetry } from './retry.ts';

/** How many connections there are for what. */
interface Width {
  readonly batches: number;
  readonly transactions: number;
  readonly reads: number;
}

const OF_A_PROCESS: Width = { batches: 3, transactions: 4, reads: 4 };
/** Many threads share a server with many processes, and each of them writes for some of the numbers only. */
const OF_A_THREAD: Width = { batches: 2, transactions: 1, reads: 1 };
/** With fewer than these, another transaction costs more than the wait for one that is under way. */
const WORTH_ANOTHER_COMMIT = 8;
/** With so many the server is better busy than idle until this process has read all that its clients sent. */
const WORTH_LEAVING_AT_ONCE = 64;
const STATEMENT_MS = 5_000;

/** Durable even where the server's default is not; a transaction whose owner went away ends by itself. */
const writing = () => ({
  synchronous_commit: 'on',
  idle_in_transaction_session_timeout: `${2 * limits.transactionMs}`,
});
/**
 * Batches find every row by a key. A plan that was made while a table was small would read all of it, again and again for as long as the
 * connection lives, while the table grows by thousands of rows a second; so plans that read whole tables are out of the question here.
 */
const batching = () => ({
  ...writing(),
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
});

/** The cluster store: any number of processes on one PostgreSQL. */
export async function openPostgres(url: string, options: Omit<StoreOptions, 'url'>): Promise<Store> {
  await prepareDatabase(url, options);
  return createPostgresStore(url, options, OF_A_PROCESS);
}

/** The same for one more thread of a process that has opened it. */
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
  /** On another connection when one is broken: whatever only reads can be asked again. */
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
    onTold: () => ({ stop() {} }),
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

/** The beginning travels with the first statement of the work. */
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
    // The caller handed the items in together with this very command.
    const outputs = await command.postgres(link.session, items as never[]);
    assertOneOutputPerItem(command.name, items, outputs);
    return outputs;
  } catch (error) {
    throw (
      (await link.refusal()) ?? (error instanceof StoreError ? error : commandFailure(command.name, error))
    );
  }
}
