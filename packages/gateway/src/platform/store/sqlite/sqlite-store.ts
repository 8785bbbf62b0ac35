import { Kysely } from 'kysely';
import { settled, warnOf, within } from '#kernel';
import { type Link, type LinkAnswer, linkDialect, readerDialect } from '../driver.ts';
import { StoreError } from '../errors.ts';
import { createGroupCommit, type Group, timedCommit } from '../group-commit.ts';
import type { Tables } from '../schema/tables.ts';
import { createTransactions, limits } from '../transactions.ts';
import type { Reading, Store, StoreOptions } from '../types.ts';
import { createWriteHealth, createWriteProbe } from '../write-health.ts';
import { type NamedGroup, unpackRows } from './protocol.ts';
import type { DatabaseThread } from './thread.ts';

/** One batch being written, and one ready in the thread, so that it never waits for the main thread. */
const BATCHES_AT_ONCE = 2;
/** With fewer items, a second commit costs more than waiting for the first. */
const WORTH_ANOTHER_COMMIT = 8;
/** With so many items the thread should start before the main thread has read everything its clients sent. */
const WORTH_LEAVING_AT_ONCE = 32;

interface SqliteStoreParts extends Pick<StoreOptions, 'clock' | 'onCommit'> {
  readonly writer: DatabaseThread;
  readonly reader: DatabaseThread;
  readonly shareWithThread: Store['shareWithThread'];
}

/** The embedded store of a thread that uses the two database threads. */
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
      const { outputs, notices } = await writer.ask('batch', { groups: groups.map(readyToCross) });
      for (const news of notices) emit(news);
      return outputs;
    } finally {
      turns.giveBack();
    }
  }

  /** The write is committed, whatever a listener does. */
  function emit(news: unknown): void {
    for (const emitTo of listeners) {
      try {
        emitTo(news);
      } catch (error) {
        // A listener that misses it finds it at its next poll.
        warnOf('a listener to committed writes failed')(error);
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
    // Last, because closing the last connection checkpoints the write-ahead log.
    await writer.close();
  }

  return {
    dialect: 'sqlite',
    // Each statement sees the newest commit.
    read: new Kysely<Tables>({
      dialect: readerDialect('sqlite', (sql, parameters) => query(reader, sql, parameters)),
    }),
    async ask<I, O>({ name }: Reading<I, O>, input: I) {
      // The thread answers with the reading of this name.
      return (await reader.ask('reading', { name, input })) as O;
    },
    transaction: (work) => health.watch(transactions.run(work)),
    run: groupCommit.run,
    onCommitted(listener) {
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
  // The caller passed these items together with this command.
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

/** Gives one caller exclusive use of the writer until `release`. */
export function createWriterLink(writer: ReturnType<DatabaseThread['current']>, release: () => void): Link {
  return {
    query: (sql, parameters) => query(writer, sql, parameters),
    begin: () => writer.ask('begin', {}),
    commit: () => writer.ask('commit', {}),
    // A rollback fails only if the thread has stopped; then nothing is left to roll back.
    rollback: () => settled(writer.ask('rollback', {})),
    release,
  };
}

/**
 * Schedules the writer: one exclusive transaction, or several batches that the thread writes one after the other. First come, first
 * served: a batch joins running ones only while nothing waits, so that no transaction starves.
 */
interface WriterTurns {
  takeAlone(): Promise<void>;
  takeWithOthers(): Promise<void>;
  giveBack(): void;
}

interface Waiting {
  readonly alone: boolean;
  readonly start: () => void;
}

export function createWriterTurns(): WriterTurns {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let aloneUnderWay = false;

  function mayStart(alone: boolean): boolean {
    return underWay === 0 || !(alone || aloneUnderWay);
  }

  function begin(alone: boolean): void {
    underWay += 1;
    aloneUnderWay = alone;
  }

  function take(alone: boolean): Promise<void> {
    if (waiting.length > 0 || !mayStart(alone)) {
      return new Promise((resolve) => waiting.push({ alone, start: resolve }));
    }
    begin(alone);
    return Promise.resolve();
  }

  return {
    takeAlone: () => take(true),
    takeWithOthers: () => take(false),
    giveBack() {
      underWay -= 1;
      for (let next = waiting[0]; next && mayStart(next.alone); next = waiting[0]) {
        waiting.shift();
        begin(next.alone);
        next.start();
      }
    },
  };
}
