import type { DataKeys } from '#accounts';
import { type Clock, type JobLog, type PeriodicJob, settled, startPeriodicJob } from '#kernel';
import type { Bus } from '#platform/bus';
import type { HistoryRow, Store } from '#platform/store';
import { findHistory, listHistories } from './conversation-queries.ts';
import { createNextSeq, keeperOf, type NumberKeeper } from './keeper.ts';

/** Published when the history of a number was switched on or off, or its settings changed; carries its slot. */
export const HISTORIES_TOPIC = 'histories';

/** Active histories in memory: numbers without one cost nothing. */
export interface Histories {
  /** Undefined when the number keeps no history. */
  of(slotId: string): NumberKeeper | undefined;
  /** Rereads the settings of one number. */
  learn(slotId: string): Promise<void>;
  /** Has read all of them when it resolves, and follows changes from then on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A lost bus message costs at most this long. */
const LOOK_AGAIN_MS = 30_000;

export function createHistories({
  store,
  bus,
  keys,
  clock,
  log,
}: {
  store: Pick<Store, 'read'>;
  bus: Pick<Bus, 'subscribe'>;
  keys: DataKeys;
  clock: Clock;
  log: JobLog;
}): Histories {
  const nextSeq = createNextSeq(clock);
  let keepers = new Map<string, NumberKeeper>();
  let job: PeriodicJob | undefined;
  let turn: Promise<void> = Promise.resolve();

  /** Runs one read after the other: an older one must not overwrite a newer one. */
  function inTurn(look: () => Promise<void>): Promise<void> {
    const looked = turn.then(look);
    turn = settled(looked);
    return looked;
  }

  async function openKeeper({ id, account_id, days, media }: HistoryRow): Promise<NumberKeeper> {
    const box = await keys.boxOf(account_id);
    return keeperOf({ id, keepsFiles: media === 1, days, box }, clock, nextSeq);
  }

  async function learnAll(): Promise<void> {
    const rows = await listHistories(store.read);
    const known = new Map<string, NumberKeeper>();
    for (const row of rows) known.set(row.slot_id, await openKeeper(row));
    keepers = known;
  }

  async function look(slotId: string): Promise<void> {
    const row = await findHistory(store.read, slotId);
    if (row) keepers.set(slotId, await openKeeper(row));
    else keepers.delete(slotId);
  }

  const listening = bus.subscribe(HISTORIES_TOPIC, (slotId) => {
    inTurn(() => look(String(slotId))).catch((error: unknown) =>
      log.error({ err: error }, 'could not read the history settings of a number; retrying'),
    );
  });

  return {
    of: (slotId) => keepers.get(slotId),
    learn: (slotId) => inTurn(() => look(slotId)),
    async start() {
      await inTurn(learnAll);
      job = startPeriodicJob({
        clock,
        log,
        firstAfterMs: LOOK_AGAIN_MS,
        everyMs: LOOK_AGAIN_MS,
        work: () => inTurn(learnAll),
        name: 'conversation-settings',
      });
    },
    async stop() {
      listening.stop();
      await job?.stop();
    },
  };
}
