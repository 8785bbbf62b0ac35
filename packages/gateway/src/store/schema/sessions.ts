import type {
  ConnectionChange,
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

/** The link of one number, and who hosts it. */
export interface SessionRow {
  slot_id: string;
  account_id: string;
  phone: string;
  session_id: string;
  link_id: string;
  lid: string | null;
  /** As its host saw it last; `offline` is a matter of time and never stored. */
  status: 'connected' | 'reconnecting' | 'logged_out';
  since: number;
  /** The last connection event that the outside was told. */
  reported: ConnectionChange | null;
  /** Why there is no connection, for programs and for people; null while there is one, and when nobody knows. */
  reason: SessionReason | null;
  reason_detail: string | null;
  /** When the network lets the number in again, by its own word. */
  reason_until: number | null;
  auto_reject: number;
  presence_policy: PresencePolicy;
  /** Hosts it as long as its own lease runs; null: nobody does. */
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
  /** The QR payload, the code or the question to a passkey that is on show; sealed. */
  shown: Uint8Array | null;
  shown_until: number | null;
  /** What the owner answered to it, until the next is shown; sealed. Its worker looks for it. */
  answer: Uint8Array | null;
  session_id: string | null;
  error: string | null;
  error_code: PasskeyErrorCode | null;
  /** Conducts the attempt; null until one has taken it. */
  worker: string | null;
  created_at: number;
  expires_at: number;
  /** Null while the attempt is open. */
  ended_at: number | null;
}

/** A way to one attempt for whoever has no login, and the browser that took it. Both are known by their hash alone. */
interface OnboardingLinkRow {
  token_hash: Uint8Array;
  onboarding_id: string;
  /** Null until a browser has opened it. */
  browser_hash: Uint8Array | null;
  created_at: number;
}

/** A process that hosts sessions. Its one lease stands for all of them. */
interface WorkerRow {
  worker: string;
  started_at: number;
  last_seen: number;
  lease_expires_at: number;
  /** Of the master keys that it opens boxes with, with commas between; null: of an older release, with one that nobody knows. */
  key_ids: string | null;
}

/** A link that nobody wants any more: still to be unlinked on the network and forgotten here. */
interface EndingLinkRow {
  link_id: string;
  /** Higher than that of any host it had. */
  fence: number;
  since: number;
  /** Nobody else takes it up before. */
  taken_until: number;
}

export interface NetworkTables {
  network_links: NetworkLinkRow;
  network_records: NetworkRecordRow;
  network_journal: NetworkJournalRow;
  client_versions: ClientVersionRow;
}

/** The version of a client that the network serves, as it was learned last. */
interface ClientVersionRow {
  client: string;
  version: string;
  learned_at: number;
}

/** One linked device: its credentials, and who may write on its behalf. */
interface NetworkLinkRow {
  link_id: string;
  /** The newest owner; a write with a smaller fence is refused. */
  fence: number;
  /** Sealed. */
  creds: Uint8Array;
  created_at: number;
}

/** What a link remembers, by kind: the keys of the end-to-end encryption, contacts, sent messages, secrets of polls. */
interface NetworkRecordRow {
  link_id: string;
  kind: string;
  id: string;
  /** Sealed. */
  value: Uint8Array;
  /** Null: kept as long as the link. */
  expires_at: number | null;
}

/** What arrived from the network, from its decryption until the gateway has taken it; then its trace, so that a copy is known again. */
interface NetworkJournalRow {
  link_id: string;
  /** Of the very bytes that came over the wire. */
  digest: string;
  /** Of the event that it becomes; null when it becomes none, or the same one came before in other bytes. */
  event_key: string | null;
  /** Order of arrival. */
  seq: number;
  /** Sealed; null once taken. */
  value: Uint8Array | null;
  /** Null while waiting. */
  taken_at: number | null;
}
