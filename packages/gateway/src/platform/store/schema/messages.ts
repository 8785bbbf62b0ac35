import type { FailureReason, MessageState } from '@parley/contract';
import type { Generated } from 'kysely';

export interface MessageTables {
  messages: MessageRow;
  outbox: OutboxRow;
  idempotency_keys: IdempotencyKeyRow;
  send_limits: SendLimitsRow;
  account_limits: AccountLimitsRow;
  sent_days: SentDayRow;
}

/** The outcome of an accepted message and its furthest receipt. Contains no message content. */
export interface MessageRow {
  /** Also the id on the network. Begins with the time, so that rows are ordered by creation. */
  id: string;
  account_id: string;
  slot_id: string;
  session_id: string;
  /** The Idempotency-Key of the send. */
  request_id: string;
  /** Empty for a status. */
  to_jid: string;
  type: string;
  status: MessageState;
  reason: FailureReason | null;
  accepted_at: number;
  updated_at: number;
}

/** Messages still to be sent, per number in order. A row is deleted by the transaction that settles its message. */
interface OutboxRow {
  slot_id: string;
  seq: number;
  message_id: string;
  /** The send request, sealed. */
  sealed: Uint8Array;
  attempts: number;
  /** No attempt before this time. */
  due_at: number;
  /** 1: until then the whole number sends nothing, because the last attempt failed for a reason of the number. */
  holds_number: Generated<number>;
}

/** An `Idempotency-Key` that was used, and the message it led to. */
interface IdempotencyKeyRow {
  account_id: string;
  /** The number's slot, and the idempotency key of its request. */
  key: string;
  /** Hash of the parsed request; the same key with another request is refused. */
  request_hash: Uint8Array;
  message_id: string;
  created_at: number;
}

/** Usage of a number's send limits. Times are epoch milliseconds; see the kernel's rate arithmetic. */
export interface SendLimitsRow {
  slot_id: string;
  plan_full_at: number;
  session_full_at: number;
  /** Messages sent without a gap of a minute. */
  run_length: number;
  /** When the first of them was sent. */
  run_since: number;
  last_sent_at: number;
  paused_until: number;
  /** Sequence number of the next message in the outbox. */
  next_seq: number;
  /** JSON `[[hour, count], …]`: new chats of the last day, by hours since 1970. Later hours replace the oldest ones. */
  new_chats: string;
}

/** Usage of an account's send limit. */
export interface AccountLimitsRow {
  account_id: string;
  full_at: number;
}

/** Count of accepted messages of a number on a day that is over. */
export interface SentDayRow {
  slot_id: string;
  /** UTC day, counted from 1970. */
  day: number;
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  /** 1: recount before use. */
  is_stale: number;
}

export interface MediaTables {
  media: MediaRow;
  media_objects: MediaObjectRow;
  media_pins: MediaPinRow;
  media_arrivals: MediaArrivalRow;
  media_reservations: MediaReservationRow;
}

/** A file whose id was given out. */
export interface MediaRow {
  id: string;
  account_id: string;
  /** The only number whose keys may read it; null: any key of the account. */
  phone: string | null;
  /** Where its bytes are; empty: not stored here, but the network may have them. */
  object_id: string;
  size: number;
  /** Its media type, name, hash and network location, sealed under the account's own key. */
  details: Uint8Array;
  made_at: number;
  expires_at: number;
}

/** Bytes in the media store; equal files of one account are stored once. */
export interface MediaObjectRow {
  id: string;
  account_id: string;
  /** Keyed fingerprint: distinguishes files of an account, and reveals nothing without its key. */
  fingerprint: Uint8Array;
  size: number;
  /** Grows with every row that refers to it, so that a concurrent deletion notices. */
  uses: number;
  made_at: number;
  /** The budget that its size counts against; null: the files of the account. */
  budget: Generated<'export' | null>;
}

/** Reserved space for an incoming file. */
export interface MediaReservationRow {
  /** The id of its object. */
  id: string;
  account_id: string;
  budget: 'media' | 'export';
  size: number;
  /** The process that receives the file. */
  holder: string;
  expires_at: number;
}

/** A file that a queued message needs. The pin holds while that message is in the outbox. */
interface MediaPinRow {
  media_id: string;
  slot_id: string;
  seq: number;
}

/** Records that a file came with a message of a number. */
export interface MediaArrivalRow {
  media_id: string;
  slot_id: string;
  /** The history that it is kept with: it is deleted with the message. Null: it is not kept. */
  history_id: string | null;
  chat: string | null;
  message_id: string | null;
  /** Until when its bytes are available; null: as long as the row exists, or not at all. */
  copy_until: number | null;
}
