import type { DeliveryStatus, EventCategory, EventKind, Extension, ReceiverFailure } from '@parley/contract';
import type { Generated } from 'kysely';

export interface EventTables {
  events: EventRow;
  quarantine: QuarantineRow;
}

/** What happened to a number, as the account may read it again for some days. Rows are never changed, only dropped. */
interface EventRow {
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
  /** Only for those who ask for this; null: for everybody. */
  extension: Extension | null;
  at: number;
  expires_at: number;
  /** Bytes of the full payload. */
  size: number;
  /** The payload with its content redacted. */
  body: string;
  /** The full payload, sealed; null when nothing had to be redacted and `body` is all of it. */
  sealed: Uint8Array | null;
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

export interface WebhookTables {
  webhooks: WebhookRow;
  formatted_webhooks: FormattedWebhookRow;
  webhook_lanes: WebhookLaneRow;
  failing_receivers: FailingReceiverRow;
  deliveries: DeliveryRow;
}

/** Where the events of one number go. An empty URL: that category is not sent. */
export interface WebhookRow {
  id: string;
  account_id: string;
  slot_id: string;
  phone: string;
  messages_url: string;
  status_url: string;
  connection_url: string;
  events_url: string;
  /** 0: what happens meanwhile is lost to it. */
  active: number;
  /** Since when what happens is kept for it and not sent; null: it is sent. */
  paused_at: number | null;
  /** What it asks for beyond the specification, with commas between. */
  extensions: string;
  /** Sealed. */
  secret: Uint8Array;
  /** Sealed; signs beside the new one until `previous_secret_until`. */
  previous_secret: Uint8Array | null;
  previous_secret_until: number | null;
  created_at: number;
}

/** The same in the words of another program; a number may have one of each format beside its own. */
export interface FormattedWebhookRow
  extends Omit<WebhookRow, 'secret' | 'previous_secret' | 'previous_secret_until'> {
  /** Whose words it is told in. */
  format: string;
  /** Sealed; what that format needs to know beside the URLs. */
  options: Uint8Array;
}

/** Which process delivers what one account has queued for one URL, and until when the others leave it alone. */
interface WebhookLaneRow {
  account_id: string;
  url: string;
  claimed_by: string;
  claimed_until: number;
}

/** A receiver that has answered nothing but failures since its last success. Gone with its next success. */
export interface FailingReceiverRow {
  account_id: string;
  url: string;
  failing_since: number;
  /** When it failed last, as far as it was written down. */
  failed_at: number;
  cause: ReceiverFailure;
  status_code: number | null;
  /** When it is asked next though it fails; null: it is not left alone yet. */
  probe_at: number | null;
  /** When the owners were written to. */
  told_at: number | null;
}

/** One event on its way to one URL, and then the memory of how that went. */
export interface DeliveryRow {
  /** Order of queueing; the public `delivery_id` is made of it. */
  seq: Generated<number>;
  account_id: string;
  webhook_id: string;
  /** The event in the log that holds the full payload; null when `event` is all of it. */
  event_seq: number | null;
  /** `X-Message-ID` */
  event_id: string;
  kind: EventKind;
  category: EventCategory;
  url: string;
  /** Bytes of the request body. */
  size: number;
  /** `paused`: pending, but its webhook is paused or not active. */
  status: DeliveryStatus | 'paused';
  /** When it was queued, or queued again. */
  queued_at: number;
  due_at: number;
  /** Failed attempts since it was queued. */
  tries: Generated<number>;
  /** JSON array of the contract's attempts. */
  attempts: Generated<string>;
  /** JSON of the payload with its content redacted. */
  event: string;
  /** Sealed; what was answered to the attempts. */
  answers: Generated<Uint8Array | null>;
  /**
   * Of its number, what it belongs to: deliveries of one chat keep their order. Empty for what concerns the number as a whole; null for
   * what goes beside everything, such as a test delivery.
   */
  chat: Generated<string | null>;
  /** The replay that has put it back in the queue last; null: none, or something else did since. */
  replay_id: Generated<string | null>;
}
