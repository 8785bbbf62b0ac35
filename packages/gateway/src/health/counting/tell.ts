import type { EventLog, NewEvent } from '#event-log';
import type { HistoryEntry } from '#history/write-commands';
import type { Clock } from '#kernel';
import type { Store } from '#store';
import { type Inbound, tellEvents } from './inbound.ts';

/** Where what the network tells becomes public, with what it says about the number's health. */
export interface InboundTeller {
  emit(
    events: readonly NewEvent[],
    inbound: readonly Omit<Inbound, 'at'>[],
    kept: readonly HistoryEntry[],
  ): Promise<void>;
}

export function createTeller({
  store,
  events,
  clock,
}: {
  store: Pick<Store, 'run'>;
  events: Pick<EventLog, 'prepare' | 'announce'>;
  clock: Pick<Clock, 'now'>;
}): InboundTeller {
  return {
    async emit(news, inbound, kept) {
      if (news.length === 0 && inbound.length === 0 && kept.length === 0) return;
      const prepared = news.map(events.prepare);
      const at = clock.now();
      await store.run(tellEvents, {
        events: prepared,
        inbound: inbound.map((each) => ({ ...each, at })),
        kept,
      });
      events.announce(prepared);
    },
  };
}
