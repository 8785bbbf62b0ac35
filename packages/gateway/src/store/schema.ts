import type { AccountTables } from './schema/accounts.ts';
import type { EventTables } from './schema/events.ts';
import type { MessageTables } from './schema/messages.ts';
import type { NetworkTables } from './schema/network.ts';
import type { PortalTables } from './schema/portal.ts';
import type { SafekeepingTables } from './schema/safekeeping.ts';
import type { SessionTables } from './schema/sessions.ts';
import type { WebhookTables } from './schema/webhooks.ts';

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
