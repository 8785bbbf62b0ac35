/** What this room needs of the event log. */
export interface EventReader {
  /** The full payloads of logged events; an event that is gone is left out. */
  payloads(eventSeqs: readonly number[]): Promise<ReadonlyMap<number, Payload>>;
  /** Their redacted copies, as JSON. */
  redacted(eventSeqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

export interface Payload {
  /** JSON, exactly as it travels. */
  readonly body: string;
  /** JSON. */
  readonly redacted: string;
}
