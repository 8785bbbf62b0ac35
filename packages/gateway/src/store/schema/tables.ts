import type { AccountTables } from './accounts.ts';
import type { EventTables } from './events.ts';
import type { MessageTables } from './messages.ts';
import type { NetworkTables } from './network.ts';
import type { PortalTables } from './portal.ts';
import type { SafekeepingTables } from './safekeeping.ts';
import type { SessionTables } from './sessions.ts';
import type { WebhookTables } from './webhooks.ts';

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
    NetworkTables,
    WebhookTables,
    EventTables,
    SessionTables,
    MessageTables,
    PortalTables,
    SafekeepingTables {
  schema_version: SchemaVersionTable;
}
