import type { DeliveryStatus, EventCategory, EventKind, Extension, ReceiverFailure } from '@parley/contract';
import type { Generated } from 'kysely';

export interface EventTables {
  events: EventRow;
  quarantine: QuarantineRow;
}

/** An event of a number, readable by its account for some days. Rows are never changed, only dropped. */
interface EventRow {
  seq: Generated<number>;
  /** The transaction that wrote it (0 in SQLite). Readers follow `(tx, seq)`, because sequence numbers alone are not in commit order. */
  tx: number;
  account_id: string;
  slot_id: string;
  /** Unique per number: deduplicates an event. */
  key: string;
  /** `X-Message-ID` */
  event_id: string;
  kind: EventKind;
  /** Published only to receivers that opted in to this extension; null: to all. */
  extension: Extension | null;
  at: number;
  expires_at: number;
  /** Size of the full payload in bytes. */
  size: number;
  /** The payload with its content redacted. */
  body: string;
  /** The full payload, sealed; null when nothing was redacted and `body` is complete. */
  sealed: Uint8Array | null;
}

/** A network event that could not be written to the event log. Rows are never changed, only dropped. */
export interface QuarantineRow {
  /** Made of the number and the name of the event: a repeated one is kept once. */
  id: string;
  account_id: string;
  slot_id: string;
  kind: string;
  /** The reason, without any of its content. */
  reason: string;
  /** Bytes before sealing. */
  size: number;
  at: number;
  /** The network event, as JSON. */
  sealed: Uint8Array;
}

export interface WebhookTables {
  webhooks: WebhookRow;
  formatted_webhooks: FormattedWebhookRow;
  webhook_lanes: WebhookLaneRow;
  failing_receivers: FailingReceiverRow;
  deliveries: DeliveryRow;
}

/** Webhook URLs of one number. An empty URL: that category is not sent. */
export interface WebhookRow {
  id: string;
  account_id: string;
  slot_id: string;
  phone: string;
  messages_url: string;
  status_url: string;
  connection_url: string;
  events_url: string;
  /** 0: events in the meantime are lost to it. */
  active: number;
  /** Since when events are kept for it and not sent; null: they are sent. */
  paused_at: number | null;
  /** Opted-in extensions, separated by commas. */
  extensions: string;
  /** Sealed. */
  secret: Uint8Array;
  /** Sealed; signs beside the new one until `previous_secret_until`. */
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  created_at: number;
}

/** A webhook in another program's format; a number may have one of each format beside its own. */
export interface FormattedWebhookRow
  extends Omit<WebhookRow, 'secret' | 'previous_secret' | 'previous_secret_until'> {
  /** The format of its payloads. */
  format: string;
  /** Sealed; settings of that format beside the URLs. */
  options: Uint8Array;
}

/** Lease of a delivery lane: which process delivers one account's queue for one URL, and until when. */
interface WebhookLaneRow {
  account_id: string;
  url: string;
  claimed_by: string;
  claimed_until: number;
}

/** A receiver whose deliveries all failed since its last success. Removed by its next success. */
export interface FailingReceiverRow {
  account_id: string;
  url: string;
  failing_since: number;
  /** Last recorded failure. */
  failed_at: number;
  cause: ReceiverFailure;
  status_code: number | null;
  /** Next probe of a suspended receiver; null: not suspended yet. */
  probe_at: number | null;
  /** When the owners were notified. */
  notified_at: number | null;
}

/** One event for one URL, and afterwards the record of its delivery. */
export interface DeliveryRow {
  /** Order of queueing; the public `delivery_id` is made from it. */
  seq: Generated<number>;
  account_id: string;
  webhook_id: string;
  /** The event in the log with the full payload; null when `event` is complete. */
  event_seq: number | null;
  /** `X-Message-ID` */
  event_id: string;
  kind: EventKind;
  category: EventCategory;
  url: string;
  /** Size of the request body in bytes. */
  size: number;
  /** `paused`: pending, but its webhook is paused or not active. */
  status: DeliveryStatus | 'paused';
  /** When it was queued last. */
  queued_at: number;
  due_at: number;
  /** Failed attempts since it was queued. */
  tries: Generated<number>;
  /** JSON array of the contract's attempts. */
  attempts: Generated<string>;
  /** JSON of the payload with its content redacted. */
  event: string;
  /** Sealed; responses to the attempts. */
  answers: Generated<Uint8Array | null>;
  /**
   * Chat within its number: deliveries of one chat keep their order. Empty for events of the number as a whole; null for deliveries
   * outside any order, such as a test delivery.
   */
  chat: Generated<string | null>;
  /** The replay that has queued it last; null if none has, or something else queued it since. */
  replay_id: Generated<string | null>;
}

export interface HistoryTables {
  data_keys: DataKeyRow;
  histories: HistoryRow;
  history_chats: HistoryChatRow;
  history_messages: HistoryMessageRow;
  history_marks: HistoryMarkRow;
  history_imports: HistoryImportRow;
}

/** The data key of one account, sealed under the master key; it seals the account's stored content. */
interface DataKeyRow {
  account_id: string;
  sealed: Uint8Array;
  created_at: number;
}

/** The stored conversations of one number, from switching history on to switching it off. Switching it on again creates a new one. */
export interface HistoryRow {
  id: string;
  slot_id: string;
  account_id: string;
  days: number;
  /** Whether messages keep metadata of their files. */
  media: number;
  since: number;
  /** Reading and writing have ended and deletion is in progress; null: history is on. */
  ended_at: number | null;
}

/** A conversation of it. Everything but the content of messages is in clear: ids, addresses, times, counts. */
export interface HistoryChatRow {
  history_id: string;
  chat: string;
  /** Position of the newest message. */
  last_at: number;
  last_seq: number;
  /** No message is older. */
  oldest_at: number;
  messages: number;
  bytes: number;
  unread: number;
  archived: number;
  pinned: number;
  /** -1: for ever; null: not muted. */
  muted_until: number | null;
  /** Everything up to this position was deleted, though its rows may not be gone yet. */
  cleared_at: number;
  cleared_seq: number;
  /** Up to when the phone has reported the owner's chat state, at linking; null: never. */
  past_at?: number | null;
}

/** A message of a kept conversation. */
export interface HistoryMessageRow {
  history_id: string;
  message_id: string;
  chat: string;
  from_me: number;
  /** Epoch ms by the network's clock; messages of the same moment follow `seq`, the order in which they came. */
  at: number;
  seq: number;
  bytes: number;
  /** For own messages: the furthest receipt of any recipient, by its index in `RECEIPT_TYPES`; 0: sent. */
  state: number;
  /** Under the account's data key; null once deleted for everyone. */
  sealed: Uint8Array | null;
  revoked_at: number | null;
  /** When it expires; null: never. */
  expires_at: number | null;
  /**
   * For received group messages: a fingerprint of the sender. Null where it is not needed to distinguish senders, or written by
   * earlier versions.
   */
  author: string | null;
}

/** A later update of a message: receipt, reaction or edit. */
export interface HistoryMarkRow {
  history_id: string;
  chat: string;
  target_id: string;
  kind: 'delivered' | 'read' | 'played' | 'reaction' | 'edit';
  /** Sender of the receipt or reaction; for an edit, its own id. */
  author: string;
  from_me: number;
  at: number;
  /** The reaction, or the new text. */
  sealed: Uint8Array | null;
}

/** One history sync that the phone sent when the number was linked. */
export interface HistoryImportRow {
  history_id: string;
  import_id: string;
  state: 'running' | 'done' | 'failed';
  /** Percentage of all history that the phone reports; null: not reported. */
  progress: number | null;
  /** Number of its messages and chats that were stored. */
  messages: number;
  chats: number;
  started_at: number;
  updated_at: number;
}
