import { Kysely } from 'kysely';
import { settled, warnOf, within } from '#kernel';
import { type Link, type LinkAnswer, linkDialect, readerDialect } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { createGroupCommit, type Group } from '../group-commit.ts';
import type { Tables } from '../schema/tables.ts';
import { timedCommit } from '../timed-commit.ts';
import { createTransactions, limits } from '../transactions.ts';
import type { Reading, Store, StoreOptions } from '../types.ts';
import { createWriteHealth, createWriteProbe } from '../write-health.ts';
import { type NamedGroup, unpackRows } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';
import { createWriterTurns } from './writer-turns.ts';

/** One that is being written, and one that lies ready in the thread, so that it never waits for the one who asks to look up. */
const BATCHES_AT_ONCE = 2;
/** With fewer than these a second commit costs more than the wait for the first. */
const WORTH_ANOTHER_COMMIT = 8;
/** With so many the thread is better busy than idle until the main thread has read all that its clients sent. */
const WORTH_LEAVING_AT_ONCE = 32;

export interface SqliteStoreParts extends Pick<StoreOptions, 'clock' | 'onCommit'> {
  readonly writer: DatabaseThread;
  readonly reader: DatabaseThread;
  readonly shareWithThread: Store['shareWithThread'];
}

/** The embedded store, as each thread has it that uses its two database threads. */
export function createSqliteStore({
  writer,
  reader,
  clock,
  onCommit,
  shareWithThread,
}: SqliteStoreParts): Store {
  const turns = createWriterTurns();
  const listeners = new Set<(news: unknown) => void>();

  async function acquireWriter(): Promise<Link> {
    await turns.takeAlone();
    return createWriterLink(writer.current(), turns.giveBack);
  }

  async function write(groups: readonly Group[]): Promise<unknown[][]> {
    await turns.takeWithOthers();
    try {
      const { outputs, told } = await writer.ask('batch', { groups: groups.map(readyToCross) });
      for (const news of told) tell(news);
      return outputs;
    } finally {
      turns.giveBack();
    }
  }

  /** What is written is written, whatever a listener makes of it. */
  function tell(news: unknown): void {
    for (const hear of listeners) {
      try {
        hear(news);
      } catch (error) {
        // Who did not hear it finds it when it looks next.
        warnOf('what a write tells of was not heard')(error);
      }
    }
  }

  const transactions = createTransactions({
    db: new Kysely<Tables>({ dialect: linkDialect('sqlite', acquireWriter) }),
    clock,
  });
  const health = createWriteHealth(createWriteProbe(transactions));
  const groupCommit = createGroupCommit({
    commit: timedCommit((groups) => health.watch(write(groups)), clock, onCommit),
    lanes: BATCHES_AT_ONCE,
    worthAnotherLane: WORTH_ANOTHER_COMMIT,
    worthLeavingAtOnce: WORTH_LEAVING_AT_ONCE,
    ...limits.groupCommit,
  });

  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await Promise.all([groupCommit.drain(), transactions.drain()]);
    await reader.close();
    // Last, because closing the last connection folds the write-ahead log into the file.
    await writer.close();
  }

  return {
    dialect: 'sqlite',
    // Each statement sees the newest commit.
    read: new Kysely<Tables>({
      dialect: readerDialect('sqlite', (sql, parameters) => query(reader, sql, parameters)),
    }),
    async ask<I, O>({ name }: Reading<I, O>, input: I) {
      // The thread answers by the reading of this name.
      return (await reader.ask('reading', { name, input })) as O;
    },
    transaction: (work) => health.watch(transactions.run(work)),
    run: groupCommit.run,
    onTold(listener) {
      listeners.add(listener);
      return { stop: () => void listeners.delete(listener) };
    },
    async foldLog() {
      await turns.takeAlone();
      try {
        await writer.ask('query', { sql: 'PRAGMA wal_checkpoint(TRUNCATE)', parameters: [] });
      } finally {
        turns.giveBack();
      }
    },
    async check() {
      const probe = { sql: 'select version from schema_version limit 1', parameters: [] };
      const bothAnswer = Promise.all([reader.ask('query', probe), writer.ask('query', probe)]);
      const usable = bothAnswer.then(health.assertWritable);
      await within(clock, limits.checkMs, usable, didNotAnswer);
    },
    shareWithThread,
    close: () => (closing ??= closeAll()),
  };
}

function readyToCross({ command: { name, packing }, items }: Group): NamedGroup {
  // Whoever asked for this command gave it its own items.
  return { command: name, items: packing ? (items as never[]).map(packing.pack) : items };
}

function didNotAnswer(): StoreError {
  return new StoreError('unavailable', `The database did not answer within ${limits.checkMs} ms.`);
}

async function query(
  thread: Pick<DatabaseThread, 'ask'>,
  sql: string,
  parameters: readonly unknown[],
): Promise<LinkAnswer> {
  const answer = await thread.ask('query', { sql, parameters });
  return 'changes' in answer ? { rows: [], ...answer } : { rows: unpackRows(answer) };
}

/** The writer, for one caller alone until `release`. */
export function createWriterLink(writer: ReturnType<DatabaseThread['current']>, release: () => void): Link {
  return {
    query: (sql, parameters) => query(writer, sql, parameters),
    begin: () => writer.ask('begin', {}),
    commit: () => writer.ask('commit', {}),
    // The thread can only fail to roll back by having stopped, and then nothing is left to roll back.
    rollback: () => settled(writer.ask('rollback', {})),
    release,
  };
}
