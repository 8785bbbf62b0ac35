import { type Clock, messageIdAt } from '#kernel';
import { isStoreError } from '../errors.ts';
import type { StoreLog } from '../types.ts';
import { acquireLink, transact, withLink } from './link.ts';
import type { PgPool } from './pool.ts';

/** Above this, the messages from before there were weeks get a part of their own: `messages/partitions` makes no week beside a large rest. */
const LARGE_BYTES = 32 * 1_048_576;
/** They take in what comes until then, and weeks what comes later: ample time to finish what is begun here. */
const OPEN_FOR_MS = 30 * 86_400_000;
const PROOF = 'messages_before_end';

/**
 * Gives a gateway that has run for long, with a large table of messages, parts by week. To make a part, PostgreSQL looks whether any of its rows
 * is in the rest, and lets nobody use it meanwhile; so what there is must not be the rest. It becomes a part that ends in a month, by a condition that is
 * checked beside the traffic: only that takes as long as the table is large, and nobody waits for it but this start.
 */
export async function closeLargeRest(
  pool: PgPool,
  clock: Pick<Clock, 'now'>,
  log: StoreLog | undefined,
  largeBytes = LARGE_BYTES,
): Promise<void> {
  const acquire = () => acquireLink(pool);
  const run = (...statements: string[]): Promise<void> =>
    transact(acquire, async (link) => {
      await link.begin();
      for (const statement of statements) await link.query(statement, []);
    });
  const { rows } = await withLink(acquire, (link) =>
    link.query(
      `SELECT 1 FROM pg_inherits WHERE inhparent = to_regclass('messages') GROUP BY inhparent
       HAVING count(*) = 1 AND max(pg_relation_size(inhrelid)) > $1`,
      [largeBytes],
    ),
  );
  if (rows.length === 0) return;

  const end = messageIdAt(clock.now() + OPEN_FOR_MS);
  const takeBack = `ALTER TABLE messages_rest DROP CONSTRAINT IF EXISTS ${PROOF}`;
  log?.info({}, 'the table of messages is divided by weeks from now on; what is in it is read once');
  try {
    await run(takeBack, `ALTER TABLE messages_rest ADD CONSTRAINT ${PROOF} CHECK (id < '${end}') NOT VALID`);
    await run(`ALTER TABLE messages_rest VALIDATE CONSTRAINT ${PROOF}`);
    await run(
      'ALTER TABLE messages DETACH PARTITION messages_rest',
      'ALTER TABLE messages_rest RENAME TO messages_before',
      'ALTER INDEX messages_rest_pkey RENAME TO messages_before_pkey',
      'ALTER INDEX messages_rest_of_number RENAME TO messages_before_of_number',
      `ALTER TABLE messages ATTACH PARTITION messages_before FOR VALUES FROM (MINVALUE) TO ('${end}')`,
      `ALTER TABLE messages_before DROP CONSTRAINT ${PROOF}`,
      'CREATE TABLE messages_rest PARTITION OF messages DEFAULT',
    );
  } catch (error) {
    // Others are using the table, or are at the same. The condition must not outlive its time.
    await run(takeBack).catch((failure: unknown) =>
      log?.warn({ err: failure }, 'a condition on the table of messages could not be taken back'),
    );
    if (!isStoreError(error, 'unavailable')) throw error;
    log?.warn(
      {},
      'the table of messages could not be divided while others used it; the next start tries again',
    );
  }
}
