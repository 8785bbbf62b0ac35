import { type Clock, createBatcher } from '#kernel';
import type { Held } from '../due.ts';
import type { WindowRange, WindowReader } from '../event-reader.ts';
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

const WINDOW_BYTES = 512 * 1024;
/** A lane reads on long before it has nothing left; until then several of them can share a question. */
const TURNS_TOGETHER = 8;
/** So that an answer has a few megabytes at most. */
const LANES_TOGETHER = 16;

export function createWindow({ events, clock }: { events: WindowReader; clock: Pick<Clock, 'now'> }): Window {
  const batcher = createBatcher({
    turns: TURNS_TOGETHER,
    most: LANES_TOGETHER,
    work: (wanted: readonly WindowRange[]) => events.windows(wanted),
  });

  return {
    async read(lane, room) {
      const { accountId, url, readTo, inHand } = lane;
      const { place, answer } = batcher.add({
        lane: { accountId, url },
        after: readTo ?? START_OF_LANE,
        now: clock.now(),
        limit: room,
        inHand: [...inHand],
        largestPayload: LIGHT_BYTES,
        mostBytes: WINDOW_BYTES,
      });
      const window = (await answer)[place];
      lane.readTo = window?.end;
      return window?.held ?? [];
    },

    async payloadOf({ delivery: { eventSeq }, payload }) {
      if (payload !== undefined || eventSeq === null) return payload;
      return (await events.payloads([eventSeq])).get(eventSeq);
    },
  };
}
