import { StoreError, type StoreErrorCode } from './errors.ts';
import type { Transactions } from './transactions.ts';
import type { Store } from './types.ts';

/** Errors of a write when the database accepts none: a full or failing disk, a server that is read-only or unreachable. */
const ANNOUNCED = new Set<StoreErrorCode>([
  'unavailable',
  'unreachable',
  'read_only',
  'damaged',
  'commit_unknown',
]);

/**
 * Tracks whether writes succeed. Reads do not show that, and a probe write at every check would be costly; so every write is observed,
 * and after a failed one each check probes until a write succeeds.
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
        if (error instanceof StoreError && ANNOUNCED.has(error.code)) suspect = true;
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

/** More than the free space of a page or the log. */
const FILLER = new Uint8Array(64 * 1024).fill(1);

/** Needs as much space as many sends do, and releases it. */
export function createWriteProbe(transactions: Transactions): () => Promise<void> {
  return async () => {
    const { id } = await transactions.run((trx) =>
      trx.insertInto('write_probes').values({ filler: FILLER }).returning('id').executeTakeFirstOrThrow(),
    );
    await transactions.run((trx) => trx.deleteFrom('write_probes').where('id', '<=', id).execute());
  };
}

/** A durable write that leaves nothing behind. */
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
