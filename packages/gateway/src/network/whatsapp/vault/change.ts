import type { SignalDataSet } from 'baileys';
import type { RecordName } from './write-commands.ts';

/** The kind under which arrivals travel inside a batch of the library's keys, and are sealed. */
export const ARRIVAL = 'arrival';

/** Something that came over the wire, on its way into the journal. */
export interface ArrivalDraft {
  readonly digest: string;
  readonly eventKey: string | null;
  readonly seq: number;
  readonly value: unknown;
}

/** What one transaction of a vault changes. */
export interface Change {
  readonly puts?: readonly (RecordName & { readonly value: unknown })[];
  readonly deletes?: readonly RecordName[];
  readonly arrivals?: readonly ArrivalDraft[];
  readonly taken?: readonly string[];
}

/** A batch of the library's keys, which may carry arrivals of the journal as one more kind. */
export type KeyBatch = SignalDataSet & {
  readonly [ARRIVAL]?: Readonly<Record<string, ArrivalDraft>>;
  /** Secrets of polls, by the id of the poll. */
  readonly poll?: Readonly<Record<string, PollSecret>>;
};

export interface PollSecret {
  readonly secret: Uint8Array;
  /** Who may have made it, under each of their addresses. */
  readonly creators: readonly string[];
  /** Absent in what was kept by earlier versions. */
  readonly options?: readonly string[];
}

export function toChange({ [ARRIVAL]: arrivals, ...kinds }: KeyBatch): Change {
  const entries = Object.entries(kinds).flatMap(([kind, values]) =>
    Object.entries(values ?? {}).map(([id, value]) => ({ kind, id, value })),
  );
  return {
    puts: entries.filter(({ value }) => value !== null),
    deletes: entries.filter(({ value }) => value === null),
    arrivals: Object.values(arrivals ?? {}),
  };
}
