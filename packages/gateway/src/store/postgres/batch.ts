import type { Clock } from '#kernel';
import { assertOneOutputPerItem, commandFailure } from '../command-failure.ts';
import { isStoreError, StoreError } from '../errors.ts';
import type { Group } from '../group-commit.ts';
import type { PgSession } from '../types.ts';
import type { PgLink } from './link.ts';

const PAUSES_BEFORE_RETRY_MS = [25, 100];

interface BatchWriterOptions {
  readonly acquire: () => Promise<PgLink>;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Writes a batch in one transaction, again when it lost against another or its connection broke before the commit. */
export function createBatchWriter({ acquire, clock }: BatchWriterOptions) {
  return async (groups: readonly Group[]): Promise<unknown[][]> => {
    for (const pauseMs of PAUSES_BEFORE_RETRY_MS) {
      try {
        return await inOneTransaction(acquire, groups);
      } catch (error) {
        if (!wroteNothingAndMaySucceed(error)) throw error;
        await clock.sleep(pauseMs);
      }
    }
    return inOneTransaction(acquire, groups);
  };
}

function wroteNothingAndMaySucceed(error: unknown): boolean {
  return isStoreError(error, 'conflict') || isStoreError(error, 'unreachable');
}

async function inOneTransaction(
  acquire: () => Promise<PgLink>,
  groups: readonly Group[],
): Promise<unknown[][]> {
  const link = await acquire();
  try {
    await link.begin();
    const outputs: unknown[][] = [];
    for (const group of groups) outputs.push(await runGroup(link.session, group));
    await link.commit();
    return outputs;
  } catch (error) {
    await link.rollback();
    throw error;
  } finally {
    link.release();
  }
}

async function runGroup(session: PgSession, { command, items }: Group): Promise<unknown[]> {
  try {
    // The caller handed the items in together with this very command.
    const outputs = await command.postgres(session, items as never[]);
    assertOneOutputPerItem(command.name, items, outputs);
    return outputs;
  } catch (error) {
    throw error instanceof StoreError ? error : commandFailure(command.name, error);
  }
}
