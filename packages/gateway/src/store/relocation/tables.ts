import type { SqlValue } from '../types.ts';

export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Some rows of a table, in the order of its columns. */
export interface Batch {
  readonly rows: readonly (readonly SqlValue[])[];
  /** The place of the last of them in the source: the next batch begins behind it. */
  readonly lastRow: number;
}

/** How far a table was copied. */
export interface Progress {
  readonly lastRow: number;
  readonly rows: number;
}

/** What a process has taken for itself while it ran, or makes anew when it starts: nobody needs it when it is gone. */
export const LEFT_BEHIND: ReadonlySet<string> = new Set([
  'schema_version',
  'workers',
  'webhook_lanes',
  'seal_markers',
  'write_probes',
]);
