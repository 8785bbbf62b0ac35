import type { Clock } from '#kernel';
import type { Held } from './due.ts';
import type { WindowReader } from './event-reader.ts';
import type { Lane } from './lane.ts';

/** Brings deliveries from the database into memory, and never much at a time. */
export interface Window {
  /** Up to `room` more of what is due, without those that are in hand already. */
  read(lane: Lane, room: number): Promise<readonly Held[]>;
  /** The payload of a delivery whose turn has come; undefined when it is gone. */
  payloadOf(held: Held): Promise<string | undefined>;
}

const START_OF_LANE = { dueAt: 0, seq: 0 };

/** Larger payloads are fetched one by one when they are sent. */
export const LIGHT_BYTES = 64 * 1024;

export function createWindow({ events, clock }: { events: WindowReader; clock: Pick<Clock, 'now'> }): Window {
  return {
    async read(lane, room) {
      const { accountId, url, readTo, inHand } = lane;
      const { held, end } = await events.window({
        lane: { accountId, url },
        after: readTo ?? START_OF_LANE,
        now: clock.now(),
        limit: room,
        inHand: [...inHand],
        largestPayload: LIGHT_BYTES,
      });
      lane.readTo = end;
      return held;
    },

    async payloadOf({ delivery: { eventSeq }, payload }) {
      if (payload !== undefined || eventSeq === null) return payload;
      return (await events.payloads([eventSeq])).get(eventSeq);
    },
  };
}
