export interface NetworkTables {
  network_links: NetworkLinkRow;
  network_records: NetworkRecordRow;
  network_journal: NetworkJournalRow;
}

/** One linked device: its credentials, and who may write on its behalf. */
export interface NetworkLinkRow {
  link_id: string;
  /** The newest owner; a write with a smaller fence is refused. */
  fence: number;
  /** Sealed. */
  creds: Uint8Array;
  created_at: number;
}

/** What a link remembers, by kind: the keys of the end-to-end encryption, contacts, sent messages, secrets of polls. */
export interface NetworkRecordRow {
  link_id: string;
  kind: string;
  id: string;
  /** Sealed. */
  value: Uint8Array;
  /** Null: kept as long as the link. */
  expires_at: number | null;
}

/** What arrived from the network, from its decryption until the gateway has taken it; then its trace, so that a copy is known again. */
export interface NetworkJournalRow {
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
