import type { DataKeys } from '#accounts';
import type { Bus } from '#bus';
import { type Clock, type JobLog, type PeriodicJob, settled, startPeriodicJob } from '#kernel';
import type { HistoryRow, Store } from '#store';
import { createNextSeq, keeperOf, type NumberKeeper } from './keeper.ts';
import { findHistory, listHistories } from './store.ts';

/** Says that a number has begun or ceased to keep its conversations, or keeps other things of them; carries its slot. */
export const HISTORIES_TOPIC = 'histories';

/** Which numbers keep their conversations, in memory: those that do not cost nothing. */
export interface Histories {
  /** Undefined when the number keeps nothing. */
  of(slotId: string): NumberKeeper | undefined;
  /** Looks what was chosen for one number. */
  learn(slotId: string): Promise<void>;
  /** Knows all of them when it resolves, and follows what is chosen from then on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A lost word costs at most this long. */
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

  /** One look after the other: an older one must not overwrite what a newer one has seen. */
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
      log.error({ err: error }, 'could not learn what a number keeps; it is tried again'),
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
