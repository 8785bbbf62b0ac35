import type { EventLog } from '#events';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#platform/store';
import { firstEndings, unlinkedWithSomethingToSend } from './outbox-queries.ts';
import { settlementOf } from './outcome.ts';
import { settleMessage } from './write-commands.ts';

const LOOK_EVERY_MS = 10_000;
const NUMBERS_PER_LOOK = 50;
const MESSAGES_PER_STEP = 200;

interface AbandonParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
}

/**
 * Fails the queue of numbers that were unlinked: no process will send it, and a number that is linked again weeks
 * later must not begin by sending old messages.
 */
export function abandonOrphans(parts: AbandonParts & { clock: Clock; log: JobLog }): PeriodicJob {
  const { store, clock, log } = parts;
  return startPeriodicJob({
    clock,
    log,
    everyMs: LOOK_EVERY_MS,
    name: 'abandoned-messages',
    async work(stopping) {
      for (const slotId of await unlinkedWithSomethingToSend(store, NUMBERS_PER_LOOK))
        await abandonQueue(parts, slotId, 'The number was unlinked.', stopping);
    },
  });
}

/** Fails the whole queue of a number without a link, with an event for each message. */
export async function abandonQueue(
  parts: AbandonParts,
  slotId: string,
  detail: string,
  stopping?: AbortSignal,
): Promise<void> {
  // Less than a step: the queue is empty, or the number was linked again meanwhile.
  while (!stopping?.aborted && (await abandonSome(parts, slotId, detail)) === MESSAGES_PER_STEP);
}

/** Number of messages failed. */
async function abandonSome(
  { store, clock, events }: AbandonParts,
  slotId: string,
  detail: string,
): Promise<number> {
  const orphans = await firstEndings(store, slotId, MESSAGES_PER_STEP);
  const settlements = orphans.map((head) =>
    settlementOf({
      fence: null,
      head,
      outcome: { kind: 'failed', reason: 'SEND_FAILED', detail },
      now: clock.now(),
      prepare: events.prepare,
    }),
  );
  const settled = await Promise.all(settlements.map((settlement) => store.run(settleMessage, settlement)));
  const ended = settlements.filter((_, index) => settled[index]);
  events.announce(ended.flatMap((settlement) => settlement.events));
  return ended.length;
}
