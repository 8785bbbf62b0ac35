export interface ThroughputTables {
  throughput: ThroughputRow;
}

/** How much the whole gateway did within a minute, or within an hour. */
export interface ThroughputRow {
  span: 'minute' | 'hour';
  /** Epoch ms. */
  starts_at: number;
  accepted: number;
  sent: number;
  received: number;
  delivered: number;
}
