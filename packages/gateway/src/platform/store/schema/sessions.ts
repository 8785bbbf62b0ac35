import type {
  ConnectionChange,
  DriftPart,
  HealthState,
  NewChatWarning,
  OnboardingStatus,
  PasskeyErrorCode,
  PresencePolicy,
  SessionReason,
} from '@parley/contract';

export interface SessionTables {
  sessions: SessionRow;
  onboardings: OnboardingRow;
  onboarding_links: OnboardingLinkRow;
  workers: WorkerRow;
  ending_links: EndingLinkRow;
}

/** The link of one number, and its host. */
export interface SessionRow {
  slot_id: string;
  account_id: string;
  phone: string;
  session_id: string;
  link_id: string;
  lid: string | null;
  /** As last seen by its host; `offline` follows from elapsed time and is never stored. */
  status: 'connected' | 'reconnecting' | 'logged_out';
  since: number;
  /** The last published connection event. */
  reported: ConnectionChange | null;
  /** Why there is no connection, as code and text; null while connected, and when unknown. */
  reason: SessionReason | null;
  reason_detail: string | null;
  /** When the network lets the number in again, as the network states it. */
  reason_until: number | null;
  auto_reject: number;
  presence_policy: PresencePolicy;
  /** Current host, while its lease runs; null while unassigned. */
  worker: string | null;
  /** Grows with every host; a write with a smaller one is refused. */
  fence: number;
}

/** One attempt to link a number. */
export interface OnboardingRow {
  id: string;
  account_id: string;
  slot_id: string;
  phone: string;
  method: 'qr' | 'code';
  link_id: string;
  status: OnboardingStatus;
  /** The QR payload, pairing code or passkey challenge currently shown; sealed. */
  shown: Uint8Array | null;
  shown_until: number | null;
  /** The owner's answer to it, until the next one is shown; sealed. The attempt's worker polls for it. */
  answer: Uint8Array | null;
  session_id: string | null;
  error: string | null;
  error_code: PasskeyErrorCode | null;
  /** Worker that runs the attempt; null until one has taken it. */
  worker: string | null;
  created_at: number;
  expires_at: number;
  /** Null while the attempt is open. */
  ended_at: number | null;
}

/** A link to one attempt, or to the login of a linked number, for an owner without an account, and the browser that opened it. Both are stored as hashes only. */
interface OnboardingLinkRow {
  token_hash: Uint8Array;
  onboarding_id: string | null;
  link_id: string | null;
  /** Null until a browser has opened it. */
  browser_hash: Uint8Array | null;
  created_at: number;
}

/** A process that hosts sessions. Its lease covers all of them. */
interface WorkerRow {
  worker: string;
  started_at: number;
  last_seen: number;
  lease_expires_at: number;
  /** Ids of the master keys that it can open boxes with, separated by commas; null: unknown, from an older release. */
  key_ids: string | null;
}

/** A dissolved link: still to be unlinked on the network and deleted here. */
interface EndingLinkRow {
  link_id: string;
  /** Higher than that of any host it had. */
  fence: number;
  since: number;
  /** Lease; no other process takes it before. */
  taken_until: number;
}

export interface NetworkTables {
  network_links: NetworkLinkRow;
  network_records: NetworkRecordRow;
  network_journal: NetworkJournalRow;
  client_versions: ClientVersionRow;
  network_drift: NetworkDriftRow;
}

/** A kind of arrival from the network that the driver does not understand, over all numbers. */
interface NetworkDriftRow {
  /** Part of the network's language, such as types of notifications. */
  part: DriftPart;
  name: string;
  count: number;
  first_seen: number;
  last_seen: number;
  /** Structure of the first one, with names alone. */
  sample: string;
}

/** The client version that the network serves, as last learned. */
interface ClientVersionRow {
  client: string;
  version: string;
  at: number;
}

/** One linked device: its credentials, and the fence of its owner. */
interface NetworkLinkRow {
  link_id: string;
  /** The newest owner; a write with a smaller fence is refused. */
  fence: number;
  /** Sealed. */
  creds: Uint8Array;
  created_at: number;
}

/** Records of a link, by kind: end-to-end encryption keys, contacts, sent messages, poll secrets. */
interface NetworkRecordRow {
  link_id: string;
  kind: string;
  id: string;
  /** Sealed. */
  value: Uint8Array;
  /** Null: kept as long as the link. */
  expires_at: number | null;
}

/** A received network event, from decryption until the gateway has processed it; afterwards its trace, which deduplicates copies. */
interface NetworkJournalRow {
  link_id: string;
  /** Digest of the bytes on the wire. */
  digest: string;
  /** Key of the event that it becomes; null when it becomes none, or the same one arrived before in other bytes. */
  event_key: string | null;
  /** Order of arrival. */
  seq: number;
  /** Sealed; null once processed. */
  value: Uint8Array | null;
  /** Null while pending. */
  taken_at: number | null;
}

export interface HealthTables {
  number_health: NumberHealthRow;
  health_counts: HealthCountRow;
  known_people: KnownPersonRow;
}

/** Health of a number with the network, and its protection. Outlives its links. */
export interface NumberHealthRow {
  slot_id: string;
  account_id: string;
  /** Session of its last link. */
  session_id: string;
  link_id: string;
  linked_at: number;
  is_linked: number;
  state: HealthState;
  since: number;
  /** JSON of the state published last: an event is written when it changes. */
  published: string;
  /** Number of published states; names the next event. */
  version: number;
  /** When the state changes automatically; null: never. */
  due_at: number | null;
  /** Lock on new chats; none begin before it ends. */
  lock_type: string | null;
  lock_until: number | null;
  ban_kind: 'temporary_ban' | 'locked' | 'banned' | null;
  ban_code: number | null;
  ban_until: number | null;
  /** The network's own budget of new chats, as last reported. */
  quota: number | null;
  quota_used: number | null;
  quota_ends: number | null;
  quota_warning: NewChatWarning | null;
  /** New chats begun that the reported budget did not include yet. */
  quota_spent: number;
  /** JSON: when new chats were refused, within the last hour. */
  refusals: string;
  /** No new chats until then, after several refusals. */
  paused_until: number | null;
  /** Until then the same text counts as sent to too many recipients. */
  repeated_until: number | null;
  /** Until then other signs of trouble count. */
  trouble_until: number | null;
  /** JSON of its pacing settings; null: defaults. */
  pacing: string | null;
  inbound_at: number | null;
}

/** Counters of a number for one hour; merged to one UTC day when old. */
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
  /** Messages from others, including groups. */
  received: number;
}

/** A person whom a number has written to, or who has written to it. */
export interface KnownPersonRow {
  slot_id: string;
  person: string;
  /** When the first message to them was accepted; null when they wrote first. */
  written_at: number | null;
  /** When the network first accepted a message to them; null: not yet. */
  reached_at: number | null;
  answered_at: number | null;
}
