export interface HistoryTables {
  data_keys: DataKeyRow;
  histories: HistoryRow;
  history_chats: HistoryChatRow;
  history_messages: HistoryMessageRow;
  history_marks: HistoryMarkRow;
  history_imports: HistoryImportRow;
}

/** The key of one account, sealed under the master key: what the account keeps is sealed under it. */
interface DataKeyRow {
  account_id: string;
  sealed: Uint8Array;
  created_at: number;
}

/** What one number keeps of its conversations, from being switched on to being switched off. Switched on again, it is another one. */
export interface HistoryRow {
  id: string;
  slot_id: string;
  account_id: string;
  days: number;
  /** Whether messages keep what is known of their files. */
  media: number;
  since: number;
  /** Nothing is read or written any more, and what is left is being deleted; null: it is on. */
  ended_at: number | null;
}

/** A conversation of it. All but the content of messages is in clear: ids, addresses, times, counts. */
export interface HistoryChatRow {
  history_id: string;
  chat: string;
  /** The place of the newest message. */
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
  /** What stands here or before was deleted, though its rows may still be there for a moment. */
  cleared_at: number;
  cleared_seq: number;
  /** Up to when the phone has told how its owner has it, when the number was linked; null: it never did. */
  past_at?: number | null;
}

export interface HistoryMessageRow {
  history_id: string;
  message_id: string;
  chat: string;
  from_me: number;
  /** Epoch ms by the network's clock; messages of the same moment follow `seq`, the order in which they came. */
  at: number;
  seq: number;
  bytes: number;
  /** Of own messages: how far anybody has come with it, by its place in `RECEIPT_TYPES`; 0: sent. */
  state: number;
  /** Under the account's data key; null once it was deleted for everybody. */
  sealed: Uint8Array | null;
  revoked_at: number | null;
  /** When it disappears by itself; null: it does not. */
  expires_at: number | null;
  /** In groups, of others: a fingerprint of whoever wrote it. Null where nobody has to be told apart, or by earlier versions. */
  author: string | null;
}

/** What was said about a message afterwards: receipts, reactions, edits. */
export interface HistoryMarkRow {
  history_id: string;
  chat: string;
  target_id: string;
  kind: 'delivered' | 'read' | 'played' | 'reaction' | 'edit';
  /** Whose receipt or reaction it is; of an edit, its own id. */
  author: string;
  from_me: number;
  at: number;
  /** The reaction, or the new text. */
  sealed: Uint8Array | null;
}

/** One of the histories that the phone told when the number was linked. */
export interface HistoryImportRow {
  history_id: string;
  import_id: string;
  state: 'running' | 'done' | 'failed';
  /** In percent of all that the phone has to tell, as it says; null: it does not. */
  progress: number | null;
  /** How many of its messages and chats have been taken. */
  messages: number;
  chats: number;
  started_at: number;
  updated_at: number;
}
