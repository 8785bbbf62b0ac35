import { assertOneOutputPerItem, commandFailure, StoreError } from '../errors.ts';
import type { Group } from '../group-commit.ts';
import type { PgLink } from './link.ts';
import type { Retry } from './retry.ts';

interface BatchWriterOptions {
  readonly acquire: () => Promise<PgLink>;
  readonly retry: Retry;
}

/** Writes a batch in one transaction. */
export function createBatchWriter({ acquire, retry }: BatchWriterOptions) {
  return (groups: readonly Group[]): Promise<unknown[][]> => retry(() => inOneTransaction(acquire, groups));
}

async function inOneTransaction(
  acquire: () => Promise<PgLink>,
  groups: readonly Group[],
): Promise<unknown[][]> {
  const link = await acquire();
  try {
    // Not awaited: it travels with the first look of the first command.
    void link.begin();
    const outputs: unknown[][] = [];
    for (const group of groups) outputs.push(await runGroup(link, group));
    await link.commit();
    return outputs;
  } catch (error) {
    await link.rollback();
    throw error;
  } finally {
    link.release();
  }
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
