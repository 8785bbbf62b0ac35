import type { Generated } from 'kysely';
import type { AccountTables, PortalTables } from './accounts.ts';
import type { BillingTables } from './billing.ts';
import type { CompatTables } from './compat.ts';
import type { EventTables, WebhookTables } from './events.ts';
import type { HealthTables } from './health.ts';
import type { HistoryTables } from './history.ts';
import type { MailTables } from './mail.ts';
import type { MediaTables } from './media.ts';
import type { MessageTables } from './messages.ts';
import type { RequestTables } from './requests.ts';
import type { NetworkTables, SessionTables } from './sessions.ts';
import type { ThroughputTables } from './throughput.ts';
import type { TracingTables } from './tracing.ts';

/**
 * One interface per table, the same for both dialects: times are epoch milliseconds, flags are 0 or 1, JSON is text, blobs are
 * Uint8Array. The tables themselves are made in `migrations/`.
 */
export interface SchemaVersionTable {
  version: number;
  name: string;
  applied_at: number;
}

export interface Tables
  extends AccountTables,
    BillingTables,
    NetworkTables,
    WebhookTables,
    EventTables,
    SessionTables,
    MessageTables,
    HealthTables,
    HistoryTables,
    MediaTables,
    MailTables,
    TracingTables,
    ThroughputTables,
    RequestTables,
    CompatTables,
    PortalTables,
    OwnTables {
  schema_version: SchemaVersionTable;
}

/** What the database needs for itself. */
interface OwnTables {
  seal_markers: SealMarkerRow;
  write_probes: WriteProbeRow;
}

/** A known word, sealed: whoever opens it has the master key under which this database is written. */
export interface SealMarkerRow {
  name: string;
  sealed: Uint8Array;
  made_at: number;
}

/** There for a moment only, to find out whether anything can be written. */
interface WriteProbeRow {
  id: Generated<number>;
  filler: Uint8Array;
}
