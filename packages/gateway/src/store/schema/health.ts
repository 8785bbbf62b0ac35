import type { HealthState, NewChatWarning } from '@parley/contract';

export interface HealthTables {
  number_health: NumberHealthRow;
  health_counts: HealthCountRow;
  known_people: KnownPersonRow;
}

/** How a number stands with the network, and how it is protected. Outlives its links. */
export interface NumberHealthRow {
  slot_id: string;
  account_id: string;
  /** Of its last link. */
  session_id: string;
  link_id: string;
  linked_at: number;
  is_linked: number;
  state: HealthState;
  since: number;
  /** JSON of what the outside was told last: an event is written when it becomes another. */
  told: string;
  /** How often that was; names the next event. */
  version: number;
  /** When the state changes by itself; null: it does not. */
  due_at: number | null;
  /** No new chats until then. */
  lock_type: string | null;
  lock_until: number | null;
  ban_kind: 'temporary_ban' | 'locked' | 'banned' | null;
  ban_code: number | null;
  ban_until: number | null;
  /** The network's own budget of new chats, as it said last. */
  quota: number | null;
  quota_used: number | null;
  quota_ends: number | null;
  quota_warning: NewChatWarning | null;
  /** New chats begun that it had not counted yet when it said so. */
  quota_spent: number;
  /** JSON: when new chats were refused, within the last hour. */
  refusals: string;
  /** No new chats until then, after several refusals. */
  paused_until: number | null;
  /** Until then the same text has gone to too many. */
  repeated_until: number | null;
  /** Until then there were other signs of trouble. */
  trouble_until: number | null;
  /** JSON of what was chosen for it; null: nothing. */
  pacing: string | null;
  inbound_at: number | null;
}

/** What was counted of a number within an hour; within a day by UTC, when that is long past. */
export interface HealthCountRow {
  slot_id: string;
  /** Epoch ms. */
  starts_at: number;
  sent: number;
  new_chats: number;
  replies: number;
  refused_463_known: number;
  refused_463_unknown: number;
  refused_479: number;
  rate_overlimit: number;
  undecryptable: number;
  deaf: number;
  disconnects: number;
  held_back: number;
  /** Messages of others, in groups too. */
  received: number;
}

/** Somebody whom a number has written to, or who has written to it. */
export interface KnownPersonRow {
  slot_id: string;
  person: string;
  /** When a first message to them was accepted; null when they wrote first. */
  written_at: number | null;
  /** When the network took one; null: none yet. */
  reached_at: number | null;
  answered_at: number | null;
}
