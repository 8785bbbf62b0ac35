import type { Bus } from '#bus';
import type { Clock, SealedBox } from '#kernel';
import type { Store } from '#store';
import { DELIVERIES_TOPIC } from '#webhooks';
import { type NewEvent, prepareEvent } from './prepare.ts';
import { logEvents, type PreparedEvent } from './write-commands.ts';

/** Where public events enter the gateway: logged, queued for their webhook, and shown to whoever reads along. */
export interface EventLog {
  /** Makes an event ready for `writeEvents` inside a command of one's own; call `announce` once that has been committed. */
  prepare(event: NewEvent): PreparedEvent;
  /** Wakes those who deliver and those who read along. Nothing is lost without it; it only comes later. */
  announce(events: readonly Pick<PreparedEvent, 'accountId'>[]): void;
  /** Logs events that come with no other write; resolves when they and their deliveries are committed. */
  emit(events: readonly NewEvent[]): Promise<void>;
}

/** Says that an account has new events in the log. */
export function eventsTopic(accountId: string): string {
  return `events.${accountId}`;
}

export function createEventLog({
  store,
  bus,
  sealedBox,
  clock,
}: {
  store: Pick<Store, 'run'>;
  bus: Pick<Bus, 'publish'>;
  sealedBox: Pick<SealedBox, 'seal'>;
  clock: Pick<Clock, 'now'>;
}): EventLog {
  const prepare = (event: NewEvent): PreparedEvent => prepareEvent({ sealedBox, clock }, event);

  function announce(events: readonly Pick<PreparedEvent, 'accountId'>[]): void {
    if (events.length === 0) return;
    bus.publish(DELIVERIES_TOPIC, null);
    for (const accountId of new Set(events.map((event) => event.accountId))) {
      bus.publish(eventsTopic(accountId), null);
    }
  }

  return {
    prepare,
    announce,
    async emit(events) {
      if (events.length === 0) return;
      const prepared = events.map(prepare);
      await store.run(logEvents, prepared);
      announce(prepared);
    },
  };
}
