import type { FailureReason, MessageState } from '@parley/contract';

export interface MessageTables {
  messages: MessageRow;
  outbox: OutboxRow;
  idempotency_keys: IdempotencyKeyRow;
  send_limits: SendLimitsRow;
  account_limits: AccountLimitsRow;
  sent_days: SentDayRow;
}

/** What became of an accepted message. No content is kept here. */
export interface MessageRow {
  /** Also the id on the network. Begins with the time, so that rows lie in the order of their making. */
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

/** What still has to be sent, per number in order. A row leaves with the transaction that settles its message. */
interface OutboxRow {
  slot_id: string;
  seq: number;
  message_id: string;
  /** The send request, sealed. */
  sealed: Uint8Array;
  attempts: number;
  /** Not to be tried before this time. */
  due_at: number;
}

interface IdempotencyKeyRow {
  account_id: string;
  /** The number's slot, and the key that its request carried. */
  key: string;
  /** Of the request as understood; the same key with another request is refused. */
  request_hash: Uint8Array;
  message_id: string;
  created_at: number;
}

/** How far a number has used up what it may send. Times are epoch milliseconds; see the kernel's rate arithmetic. */
export interface SendLimitsRow {
  slot_id: string;
  plan_full_at: number;
  session_full_at: number;
  /** Messages without a gap of a minute. */
  run_length: number;
  /** When the first of them was sent. */
  run_since: number;
  last_sent_at: number;
  paused_until: number;
  /** The number of the next message in the outbox. */
  next_seq: number;
  /** JSON `[[hour, count], …]`: new chats of the last day, by hours since 1970. They are counted here until later ones take their place. */
  new_chats: string;
}

export interface AccountLimitsRow {
  account_id: string;
  full_at: number;
}

/** How many messages a number has sent that were accepted on a day that is over. */
export interface SentDayRow {
  slot_id: string;
  /** By UTC, counted from 1970. */
  day: number;
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  /** 1: they are to be counted anew before they are told. */
  is_stale: number;
}
