import type { Generated } from 'kysely';

export interface SafekeepingTables {
  seal_markers: SealMarkerRow;
  quarantine: QuarantineRow;
  write_probes: WriteProbeRow;
}

/** A known word, sealed: whoever opens it has the master key under which this database is written. */
export interface SealMarkerRow {
  name: string;
  sealed: Uint8Array;
  made_at: number;
}

/** Something that the network told and that could not be written to the log of events. Rows are never changed, only dropped. */
export interface QuarantineRow {
  /** Made of the number and the name of the happening: what comes again is kept once. */
  id: string;
  account_id: string;
  slot_id: string;
  kind: string;
  /** Why, without a word of its content. */
  reason: string;
  /** Bytes before sealing. */
  size: number;
  at: number;
  /** The network event, as JSON. */
  sealed: Uint8Array;
}

/** There for a moment only, to find out whether anything can be written. */
export interface WriteProbeRow {
  id: Generated<number>;
  filler: Uint8Array;
}
