import { createBatcher, type SealedBox } from '#kernel';
import type { Store } from '#platform/store';
import { createPayloadReader, reportUnopenable, type UnopenableLog } from './event-log-queries.ts';
import { LIGHT_BYTES, type LoadedDelivery, unpackDelivery } from './queued-delivery.ts';
import { deliveryWindows, type LanePosition, type WindowRange } from './readings.ts';

/** Brings deliveries from the database into memory, and never much at a time. */
export interface DeliveryQueue {
  /** What of a lane is due, without those that are in hand already. Lanes that ask at about the same time share a question. */
  read(range: DueRange): Promise<DueWindow>;
  /** The payload of a delivery whose turn has come; undefined when it is gone. */
  payloadOf(loaded: LoadedDelivery): Promise<string | undefined>;
}

export type DueRange = Omit<WindowRange, 'largestPayload' | 'mostBytes'>;

export interface DueWindow {
  readonly deliveries: readonly LoadedDelivery[];
  /** Where the next one goes on; undefined when there was no more. */
  readonly end: LanePosition | undefined;
}

export const START_OF_LANE: LanePosition = { dueAt: 0, seq: 0 };

const WINDOW_BYTES = 512 * 1024;
/** A lane reads on long before it has nothing left; until then several of them can share a question. */
const TURNS_TOGETHER = 8;
/** So that an answer has a few megabytes at most. */
const LANES_TOGETHER = 16;

export function createDeliveryQueue({
  store,
  sealedBox,
  log,
  largestPayload = LIGHT_BYTES,
  mostBytes = WINDOW_BYTES,
}: {
  store: Pick<Store, 'read' | 'ask' | 'dialect'>;
  sealedBox: Pick<SealedBox, 'open'>;
  log: UnopenableLog;
  largestPayload?: number;
  mostBytes?: number;
}): DeliveryQueue {
  const readPayloads = createPayloadReader({ store, sealedBox, log });
  const batcher = createBatcher({ turns: TURNS_TOGETHER, most: LANES_TOGETHER, work: readTogether });

  async function readTogether(ranges: readonly WindowRange[]): Promise<readonly DueWindow[]> {
    const windows = await store.ask(deliveryWindows, ranges);
    return windows.map(({ deliveries, end, unopenable }, place) => {
      for (const { event, why } of unopenable) reportUnopenable(log, event, why);
      const lane = ranges[place]?.lane;
      return { deliveries: lane ? deliveries.map((packed) => unpackDelivery(lane, packed)) : [], end };
    });
  }

  return {
    async read(range) {
      const { place, answer } = batcher.add({ ...range, largestPayload, mostBytes });
      return (await answer)[place] ?? { deliveries: [], end: undefined };
    },

    async payloadOf({ delivery: { eventSeq }, payload }) {
      if (payload !== undefined || eventSeq === null) return payload;
      return (await readPayloads([eventSeq])).get(eventSeq);
    },
  };
}
