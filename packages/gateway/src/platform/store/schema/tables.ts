import type { Plan } from '@parley/contract';
import type { Generated } from 'kysely';
import type { AccountTables, CompatTables, PortalTables } from './accounts.ts';
import type { EventTables, HistoryTables, WebhookTables } from './events.ts';
import type { MediaTables, MessageTables } from './messages.ts';
import type { HealthTables, NetworkTables, SessionTables } from './sessions.ts';

/*
 * One interface per table, the same for both dialects: times are epoch milliseconds, flags are 0 or 1, JSON is text, blobs are
 * Uint8Array. The tables are created in `migrations/`.
 */

/** A migration that was applied. */
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

/** Tables of the database itself. */
interface OwnTables {
  seal_markers: SealMarkerRow;
  write_probes: WriteProbeRow;
}

/** A known plaintext, sealed: a process that can open it has the master key of this database. */
export interface SealMarkerRow {
  name: string;
  sealed: Uint8Array;
  made_at: number;
}

/** Exists briefly, to check whether writes succeed. */
interface WriteProbeRow {
  id: Generated<number>;
  filler: Uint8Array;
}

interface TracingTables {
  message_traces: MessageTraceRow;
}

/** Trace context of a message, where tracing is on. */
interface MessageTraceRow {
  message_id: string;
  account_id: string;
  /** W3C Trace Context header. */
  traceparent: string;
  at: number;
}

export interface ThroughputTables {
  throughput: ThroughputRow;
}

/** Counters of the whole gateway for one minute or one hour. */
export interface ThroughputRow {
  span: 'minute' | 'hour';
  /** Epoch ms. */
  starts_at: number;
  accepted: number;
  sent: number;
  received: number;
  delivered: number;
}

export interface RequestTables {
  api_requests: ApiRequestRow;
}

/** A request of a key, without its body. */
export interface ApiRequestRow {
  seq: Generated<number>;
  account_id: string;
  key_id: string;
  at: number;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  duration_ms: number;
  /** Text of the error, if it was refused. */
  error: string | null;
  request_id: string;
}

export interface MailTables {
  mail_outbox: MailRow;
}

/** A mail that waits to be sent. */
export interface MailRow {
  id: string;
  kind: string;
  /** Payload of the mail. The text, and any secrets in it, are rendered only for sending. */
  sealed: Uint8Array;
  attempts: number;
  /** When it may be sent. The sender moves this first, so that no other process sends it at the same time. */
  due_at: number;
  /** Dropped unsent afterwards. */
  expires_at: number;
  created_at: number;
}

export interface BillingTables {
  billing_settings: BillingSettingsRow;
  account_billing: AccountBillingRow;
  invoices: InvoiceRow;
  invoice_numbers: { number: string; invoice_id: string };
  billing_notices: BillingNoticeRow;
}

/** One row for the whole gateway. */
export interface BillingSettingsRow {
  id: 'gateway';
  /** Null: nothing has a price. */
  currency: string | null;
  /** Thousandths of a percent. */
  tax_millipercent: number;
  /** JSON: amounts by plan. */
  prices: string;
  /** JSON. */
  seller: string;
  number_prefix: string;
  next_number: number;
  due_days: number;
  note: string;
  webhook_url: string | null;
  /** Sealed. */
  webhook_secret: Uint8Array | null;
}

/** Prices agreed with one account, in place of the general ones. */
export interface AccountBillingRow {
  account_id: string;
  currency: string | null;
  tax_millipercent: number | null;
  prices: string;
  buyer: string;
}

/** As issued: later changes of prices or addresses do not affect it. */
export interface InvoiceRow {
  id: string;
  account_id: string;
  slot_id: string;
  phone: string;
  plan: Plan;
  period_start: number;
  period_end: number;
  quota: number;
  used: number;
  issued_at: number;
  /** Null: nothing is due. */
  number: string | null;
  currency: string | null;
  net: number | null;
  tax_millipercent: number | null;
  tax: number | null;
  total: number | null;
  lines: string | null;
  seller: string | null;
  buyer: string | null;
  note: string | null;
  due_at: number | null;
  paid_at: number | null;
  payment_reference: string | null;
}

/** An invoice event that the operator's billing system has not received yet. */
export interface BillingNoticeRow {
  id: string;
  invoice_id: string;
  kind: 'invoice.issued' | 'invoice.paid' | 'invoice.reopened';
  attempts: number;
  /** When it may be sent. The sender moves this first, so that no other process sends it at the same time. */
  due_at: number;
  last_error: string | null;
  created_at: number;
}
