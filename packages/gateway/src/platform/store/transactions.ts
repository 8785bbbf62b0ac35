import type { Kysely, Transaction } from 'kysely';
import { type Clock, within } from '#kernel';
import { StoreError } from './errors.ts';
import type { Tables } from './schema/tables.ts';

export const limits = {
  /** One stuck caller must not hold the writer for longer. */
  transactionMs: 5_000,
  checkMs: 2_000,
  groupCommit: {
    capacity: 10_000,
    /** Bounds the duration of one commit, and so the wait of the next batch. */
    largestBatch: 1_000,
  },
};

/** Interactive transactions, each with a time limit from the moment it holds its connection. */
export interface Transactions {
  run<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Refuses new ones; resolves when all running ones are over. */
  drain(): Promise<void>;
}

interface TransactionsOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<Clock, 'after'>;
  /** Repeats a transaction if its dialect has transient failures. */
  readonly retry?: <T>(transaction: () => Promise<T>) => Promise<T>;
}

export function createTransactions({
  db,
  clock,
  retry = (transaction) => transaction(),
}: TransactionsOptions): Transactions {
  const underWay = new Set<Promise<unknown>>();
  let draining = false;

  return {
    async run(work) {
      if (draining) throw new StoreError('closed', 'The store is closed.');
      const outcome = retry(() =>
        db.transaction().execute((trx) => within(clock, limits.transactionMs, work(trx), tookTooLong)),
      );
      underWay.add(outcome);
      try {
        return await outcome;
      } finally {
        underWay.delete(outcome);
      }
    },
    async drain() {
      draining = true;
      await Promise.allSettled(underWay);
    },
  };
}

function tookTooLong(): StoreError {
  return new StoreError(
    'transaction_timeout',
    `The transaction took longer than ${limits.transactionMs} ms and was rolled back; it must not wait for anything but its own statements.`,
  );
}
