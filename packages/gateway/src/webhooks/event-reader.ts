import type { DueRange, Held, LanePosition } from './due.ts';

/** What this room needs of the event log. */
export interface EventReader {
  /** The full payloads of logged events, as JSON and exactly as they travel; an event that is gone is left out. */
  payloads(eventSeqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** What those who deliver need of it besides. */
export interface WindowReader extends EventReader {
  /** Parts of queues, each with what is to be sent. */
  windows(wanted: readonly WindowRange[]): Promise<readonly DueWindow[]>;
}

export interface WindowRange extends DueRange {
  /** Left out. */
  readonly inHand: readonly number[];
  /** Larger payloads stay where they are. */
  readonly largestPayload: number;
  /** Of all payloads together; it ends before the one that would be too much. */
  readonly mostBytes: number;
}

export interface DueWindow {
  readonly held: readonly Held[];
  /** Where the next one goes on; undefined when there was no more. */
  readonly end: LanePosition | undefined;
}
