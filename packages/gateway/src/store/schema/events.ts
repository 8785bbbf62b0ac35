import type { EventKind } from '@parley/contract';
import type { Generated } from 'kysely';

export interface EventTables {
  events: EventRow;
}

/** What happened to a number, as the account may read it again for some days. Rows are never changed, only dropped. */
export interface EventRow {
  seq: Generated<number>;
  /** The transaction that wrote it (0 in SQLite): readers follow `(tx, seq)`, because numbers alone are not given in order of commit. */
  tx: number;
  account_id: string;
  slot_id: string;
  /** Unique per number: the same happening is logged once. */
  key: string;
  /** `X-Message-ID` */
  event_id: string;
  kind: EventKind;
  at: number;
  expires_at: number;
  /** Bytes of the full payload. */
  size: number;
  /** The payload with its content redacted. */
  body: string;
  /** The full payload, sealed; null when nothing had to be redacted and `body` is all of it. */
  sealed: Uint8Array | null;
}
