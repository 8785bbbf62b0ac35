import type { EventLog } from '#events';
import type { Clock, Timer } from '#kernel';
import type { Store } from '#store';
import { settlementOf } from './outcome.ts';
import { settleMessage } from './settle-commands.ts';

const LOOK_EVERY_MS = 5_000;
const PER_LOOK = 200;

/**
 * Fails what waits for a number that was unlinked: nobody will ever send it, and a number that is linked again weeks later must not
 * begin by sending old messages.
 */
export function abandonOrphans({
  store,
  clock,
  events,
  log,
}: {
  store: Store;
  clock: Clock;
  events: EventLog;
  log: { error(details: object, message: string): void };
}): { stop(): Promise<void> } {
  let timer: Timer | undefined;
  let stopped = false;
  let looking = look();

  async function look(): Promise<void> {
    try {
      while (!stopped && (await abandonSome()) === PER_LOOK);
    } catch (error) {
      log.error({ err: error }, 'could not look for abandoned messages; it is tried again');
    }
    if (stopped) return;
    timer = clock.after(LOOK_EVERY_MS, () => {
      looking = look();
    });
  }

  async function abandonSome(): Promise<number> {
    const orphans = await store.read
      .selectFrom('outbox')
      .innerJoin('messages', 'messages.id', 'outbox.message_id')
      .leftJoin('sessions', 'sessions.slot_id', 'outbox.slot_id')
      .select([
        'outbox.slot_id',
        'seq',
        'message_id',
        'request_id',
        'to_jid',
        'messages.session_id',
        'messages.account_id',
      ])
      .where((where) =>
        where.or([where('sessions.slot_id', 'is', null), where('sessions.status', '=', 'logged_out')]),
      )
      .orderBy('outbox.slot_id')
      .orderBy('seq')
      .limit(PER_LOOK)
      .execute();
    await Promise.all(
      orphans.map(async ({ account_id: accountId, ...head }) => {
        const settlement = settlementOf({
          host: { number: { accountId }, fence: null },
          head,
          outcome: { kind: 'failed', reason: 'SEND_FAILED', detail: 'The number was unlinked.' },
          now: clock.now(),
          prepare: events.prepare,
        });
        if (await store.run(settleMessage, settlement)) events.announce([settlement.event]);
      }),
    );
    return orphans.length;
  }

  return {
    async stop() {
      stopped = true;
      timer?.cancel();
      await looking;
    },
  };
}
