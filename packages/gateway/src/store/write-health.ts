import { StoreError, type StoreErrorCode } from './errors.ts';
import type { Transactions } from './transactions.ts';
import type { Store } from './types.ts';

/** What a write fails with when the database takes none: a full or failing disk, a server that went read-only or out of reach. */
const TELLING = new Set<StoreErrorCode>([
  'unavailable',
  'unreachable',
  'read_only',
  'damaged',
  'commit_unknown',
]);

/**
 * Whether writes succeed. Reading tells nothing about that, and trying a write at every check would cost one; so every write is watched
 * instead, and after one that failed a check tries by itself, until one succeeds.
 */
interface WriteHealth {
  watch<T>(write: Promise<T>): Promise<T>;
  /** Throws while writes fail. */
  assertWritable(): Promise<void>;
}

export function createWriteHealth(tryToWrite: () => Promise<void>): WriteHealth {
  let suspect = false;
  let trying: Promise<void> | undefined;

  async function tryOnce(): Promise<void> {
    try {
      await tryToWrite();
      suspect = false;
    } finally {
      trying = undefined;
    }
  }

  return {
    async watch(write) {
      try {
        return await write;
      } catch (error) {
        if (error instanceof StoreError && TELLING.has(error.code)) suspect = true;
        throw error;
      }
    },
    async assertWritable() {
      if (!suspect) return;
      trying ??= tryOnce();
      await trying;
    },
  };
}

/** More than what lies free in a page or in the log by chance. */
const FILLER = new Uint8Array(64 * 1024).fill(1);

/** Needs as much room as many sends do, and gives it back. */
export function createWriteProbe(transactions: Transactions): () => Promise<void> {
  return async () => {
    const { id } = await transactions.run((trx) =>
      trx.insertInto('write_probes').values({ filler: FILLER }).returning('id').executeTakeFirstOrThrow(),
    );
    await transactions.run((trx) => trx.deleteFrom('write_probes').where('id', '<=', id).execute());
  };
}

/** A durable write, and nothing left of it. */
export async function writeOnce({ transaction }: Pick<Store, 'transaction'>): Promise<void> {
  await transaction(async (trx) => {
    const { id } = await trx
      .insertInto('write_probes')
      .values({ filler: new Uint8Array(1_024) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx.deleteFrom('write_probes').where('id', '=', id).execute();
  });
}
