/** What this room needs of the event log. */
export interface EventReader {
  /** The full payloads of logged events, as JSON and exactly as they travel; an event that is gone is left out. */
  payloads(eventSeqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
