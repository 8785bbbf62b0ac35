import type { Clock } from '#kernel';
import type { Store } from '#store';
import type { EventReader } from './event-reader.ts';
import type { Held, Lane } from './lane.ts';
import { readerOfDue } from './store.ts';

/** Brings deliveries from the database into memory, and never much at a time. */
export interface Window {
  /** Up to `room` more of what is due, without those that are in hand already. */
  read(lane: Lane, room: number): Promise<Held[]>;
  /** The payload of a delivery whose turn has come; undefined when it is gone. */
  payloadOf(held: Held): Promise<string | undefined>;
}

const START_OF_LANE = { dueAt: 0, seq: 0 };

/** Larger payloads are fetched one by one when they are sent. */
export const LIGHT_BYTES = 64 * 1024;

export function createWindow({
  store,
  events,
  clock,
}: {
  store: Pick<Store, 'read'>;
  events: Pick<EventReader, 'payloads'>;
  clock: Pick<Clock, 'now'>;
}): Window {
  const readDue = readerOfDue(store);
  return {
    async read(lane, room) {
      const range = { after: lane.readTo ?? START_OF_LANE, now: clock.now(), limit: room };
      const due = await readDue(lane, range);
      const last = due.length === room ? due.at(-1) : undefined;
      lane.readTo = last && { dueAt: last.due_at, seq: last.seq };
      const fresh = due.filter(({ seq }) => !lane.inHand.has(seq));
      const light = fresh.flatMap(({ event_seq, size }) =>
        event_seq !== null && size <= LIGHT_BYTES ? [event_seq] : [],
      );
      const payloads = light.length > 0 ? await events.payloads(light) : new Map<number, string>();
      return fresh.map((delivery) => ({
        delivery,
        payload:
          delivery.sample ?? (delivery.event_seq === null ? undefined : payloads.get(delivery.event_seq)),
      }));
    },

    async payloadOf({ delivery: { event_seq }, payload }) {
      if (payload !== undefined || event_seq === null) return payload;
      return (await events.payloads([event_seq])).get(event_seq);
    },
  };
}
