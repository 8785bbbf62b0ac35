// Made from the contract by `npm run gen`. Do not edit.

export interface Account {
  account_id: string;
  name: string;
  email: string;
  status: 'active' | 'suspended';
  tos_accepted_version: string | null;
  partner_limits: {
    per_minute: number;
    per_period: number;
  } | null;
}

export interface AccountBilling {
  /** In place of the general one, whose prices then do not count for this account. */
  currency: string | null;
  /** In place of the general one. */
  tax_percent: number | null;
  prices: {
    free: number | null;
    pro: number | null;
    max: number | null;
    partner: number | null;
  };
  buyer: {
    name: string;
    address: string;
    tax_id: string;
    email: string;
  };
}

export interface AccountDeletion {
  account_id: string;
  /** ISO 8601 time in UTC. */
  asked_at: string;
  /** From then on it is erased, and there is no way back. */
  due_at: string;
}

export interface AccountDeletionList {
  deletions: AccountDeletion[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface AccountList {
  accounts: Account[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface AccountVisit {
  /** Who looks at the account, as they said. */
  operator: string;
  /** ISO 8601 time in UTC. */
  until: string;
}

export interface ApiKey {
  key_id: string;
  /** The part of the key that is safe to show. */
  prefix: string;
  name: string;
  /** The one number the key is restricted to. */
  phone: string | null;
  permissions: ('messages' | 'sessions' | 'groups' | 'contacts' | 'channels' | 'webhooks')[];
  expires_at: string | null;
}

export interface ApiKeyCreated {
  key_id: string;
  /** The part of the key that is safe to show. */
  prefix: string;
  name: string;
  /** The one number the key is restricted to. */
  phone: string | null;
  permissions: ('messages' | 'sessions' | 'groups' | 'contacts' | 'channels' | 'webhooks')[];
  expires_at: string | null;
  /** Shown only now. */
  api_key: string;
}

export interface ApiKeyList {
  api_keys: ApiKey[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface AuditEntry {
  entry_id: string;
  /** ISO 8601 time in UTC. */
  at: string;
  /** `operator`, `system`, `member:<member id>` or `key:<key id>`; `owner:<account id>` in old entries. */
  actor: string;
  /** Of the member who acted; null for others, and for those who have left. */
  actor_name: string | null;
  /** Null: it concerns every account. */
  account_id: string | null;
  action: string;
  /** Id of what was changed. */
  subject: string;
  detail: Record<string, unknown>;
}

export interface AuditLog {
  entries: AuditEntry[];
}

export interface Billing {
  /** Null: nothing has a price. */
  currency: string | null;
  tax_percent: number;
  prices: {
    free: number | null;
    pro: number | null;
    max: number | null;
    partner: number | null;
  };
  seller: {
    name: string;
    address: string;
    tax_id: string;
    email: string;
  };
  /** What invoice numbers begin with. */
  number_prefix: string;
  /** Of the next invoice. They follow each other without gaps. */
  next_number: number;
  /** How many days after it was issued an invoice is due. */
  due_days: number;
  /** Stands below every invoice: how to pay, for instance. */
  note: string;
  /** Receiver of webhooks about issued and paid invoices. */
  webhook: {
    url: string;
    /** How many notices have not been taken yet. */
    waiting: number;
    /** Why the oldest of them was not. */
    last_error: string | null;
  } | null;
}

export interface BillingWebhookSecret {
  url: string;
  /** Signs every notice. Shown only now. */
  secret: string;
}

export interface CreateAccountBody {
  name: string;
  email: string;
  password?: string | undefined;
}

export interface CreateApiKeyBody {
  name: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone?: string | undefined;
  permissions?: ('messages' | 'sessions' | 'groups' | 'contacts' | 'channels' | 'webhooks')[] | undefined;
  expires_at?: string | undefined;
}

export interface CreateDeviceBody {
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  plan: 'free' | 'pro' | 'max' | 'partner';
  status?: 'active' | 'inactive' | 'suspended' | undefined;
}

export interface DeadLetter {
  account_id: string;
  webhook_id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  /** ISO 8601 time in UTC. */
  queued_at: string;
  delivery_id: string;
  /** Kind of the event. */
  kind: string;
  url: string;
  status: 'dead';
  attempts: DeliveryAttempt[];
  /** Unix time in seconds. */
  next_attempt_at_unix?: number;
  /** The payload with its content fields replaced by `[redacted: <n> bytes]`. */
  event: Record<string, unknown>;
}

export interface DeadLetterList {
  dead_letters: DeadLetter[];
}

export interface DeleteAccountQuery {
  /** True leaves out the days of grace. */
  now?: boolean | undefined;
}

export interface DeliveryAttempt {
  /** Unix time in seconds. */
  at_unix: number;
  /** What the receiver answered. */
  status_code?: number;
  /** Why there was no answer. */
  error?: string;
  duration_ms: number;
}

export interface DeliveryQueued {
  delivery_id: string;
  status: 'pending';
}

export interface Device {
  slot_id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  plan: 'free' | 'pro' | 'max' | 'partner';
  status: 'active' | 'inactive' | 'suspended';
  activated_at: string | null;
  period_start: string | null;
  period_end: string | null;
  /** Messages included in this period. */
  quota: number;
  /** Messages accepted in this period. */
  used: number;
  /** What its owner calls it. */
  nickname: string | null;
  /** When its owner ended the plan; then `status` is `inactive`. */
  canceled_at: string | null;
}

export interface DeviceList {
  devices: Device[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface DriftEntry {
  /** Top tags of stanzas, types and children of notifications, children of `<ib>`, types of receipts, signals of calls, codes of refusals, fields of messages, types of protocol messages, announced operations, and stored queries of the gateway that the network does not know. */
  part: 'stanza' | 'notification' | 'ib' | 'receipt' | 'call' | 'ack' | 'message' | 'protocol' | 'mex' | 'query';
  /** `other`: everything above 64 names of its part. */
  name: string;
  /** How often it came, over all numbers. */
  count: number;
  /** ISO 8601 time in UTC. */
  first_seen_at: string;
  /** ISO 8601 time in UTC. */
  last_seen_at: string;
  /** Structure of the first one: names of tags, attributes and fields, no values. */
  sample: string;
}

export interface DriftList {
  /** The kinds seen last first. */
  entries: DriftEntry[];
}

export interface ExportInvoicesQuery {
  account_id?: string | undefined;
  status?: 'open' | 'paid' | 'no_charge' | undefined;
}

export interface FailingReceiverOfAccount {
  account_id: string;
  url: string;
  /** Those that send to it. */
  webhooks: ({
    webhook_id: string;
    /** Phone number in international form: digits only, no leading `+`. */
    phone: string;
  })[];
  /** Unix time in seconds. */
  failing_since_unix: number;
  /** Unix time in seconds. */
  last_failure_at_unix: number;
  cause: 'unauthorized' | 'not_found' | 'redirect' | 'rate_limited' | 'rejected' | 'server_error' | 'nowhere' | 'unreachable' | 'certificate' | 'timeout' | 'broken_answer';
  /** What it answered; null: nothing. */
  status_code: number | null;
  /** Null: with the next event. */
  next_attempt_at_unix: number | null;
  /** It failed so often that only one probe at a time is sent, ever more rarely. */
  left_alone: boolean;
  /** Deliveries that wait for it, counted up to 10,000. */
  waiting: number;
  oldest_waiting_at_unix: number | null;
}

export interface FailingReceiverOfAllList {
  /** Failing longest first. */
  receivers: FailingReceiverOfAccount[];
  /** There are more than are listed. */
  has_more: boolean;
}

export interface GetThroughputQuery {
  /** Default: minute. */
  span?: 'minute' | 'hour' | undefined;
}

/** What is kept of the conversations of a number. */
export interface History {
  phone: string;
  enabled: boolean;
  /** Messages are deleted when they are older. Default: 30. */
  days?: number;
  /** Whether messages keep their files. Those of up to 4 MB are kept as they come, larger ones when they are first asked for. Switched off, the files are deleted. Default: true. */
  media?: boolean;
  /** When it was switched on. Unix time in seconds. */
  since_unix?: number;
  chats: number;
  messages: number;
  /** About what it takes on disk. */
  bytes: number;
  /** The oldest messages are deleted when it takes more. */
  max_bytes: number;
  /** How far the past that the phone sent has been taken in. */
  import?: HistoryImport;
}

/** How far the past that the phone sent has been taken in. */
export interface HistoryImport {
  /** `failed`: the rest can never be read. */
  state: 'running' | 'done' | 'failed';
  /** In percent of all that the phone sends, as it says itself. */
  progress?: number;
  /** How many were read; older ones than `days` are not kept. */
  messages: number;
  /** Unix time in seconds. */
  started_at_unix: number;
  /** Unix time in seconds. */
  updated_at_unix: number;
}

export interface HostedSession {
  session_id: string;
  account_id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  status: 'connected' | 'reconnecting' | 'offline' | 'logged_out';
  /** The worker that hosts it. */
  worker: string | null;
  /** ISO 8601 time in UTC. */
  since: string;
  /** Why there is no connection, when that is known. Absent while connected. */
  reason?: 'connection_lost' | 'network_unavailable' | 'network_untrusted' | 'proxy_failed' | 'passkey_required' | 'replaced' | 'temporarily_banned' | 'client_outdated' | 'client_refused' | 'login_refused' | 'logged_out' | 'locked' | 'banned';
  /** The reason for people; it may change, do not parse it. */
  detail?: string;
  /** With `temporarily_banned`: when the network lets the number in again, if it said so. */
  until_unix?: number;
}

export interface HostedSessionList {
  sessions: HostedSession[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface Invoice {
  invoice_id: string;
  account_id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  plan: 'free' | 'pro' | 'max' | 'partner';
  /** ISO 8601 time in UTC. */
  period_start: string;
  /** ISO 8601 time in UTC. */
  period_end: string;
  quota: number;
  used: number;
  /** ISO 8601 time in UTC. */
  issued_at: string;
  /** Null: nothing is charged, and the invoice lists usage only. */
  number: string | null;
  status: 'open' | 'paid' | 'no_charge';
  /** ISO 4217. Null: the plan had no price. */
  currency: string | null;
  /** In the smallest unit of the currency. */
  net: number | null;
  tax_percent: number | null;
  tax: number | null;
  total: number | null;
  lines: ({
    description: string;
    amount: number;
  })[];
  due_at: string | null;
  paid_at: string | null;
  payment_reference: string | null;
  seller: {
    name: string;
    address: string;
    tax_id: string;
    email: string;
  } | null;
  buyer: {
    name: string;
    address: string;
    tax_id: string;
    email: string;
  } | null;
  note: string;
}

export interface InvoiceList {
  invoices: Invoice[];
}

export interface InvoicePage {
  invoices: Invoice[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface ListAccountDeletionsQuery {
  /** `next_cursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
  /** Default: 500. */
  limit?: number | undefined;
}

export interface ListAccountsQuery {
  /** `next_cursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
  /** Default: 500. */
  limit?: number | undefined;
}

export interface ListApiKeysQuery {
  /** `next_cursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
  /** Default: 500. */
  limit?: number | undefined;
}

export interface ListAuditLogQuery {
  account_id?: string | undefined;
  /** The last one of the page before: only older ones are listed. */
  before?: string | undefined;
  /** Default: 50. */
  limit?: number | undefined;
}

export interface ListDeadLettersQuery {
  account_id?: string | undefined;
  /** The last one of the page before: only older ones are listed. */
  before?: string | undefined;
  /** Default: 50. */
  limit?: number | undefined;
}

export interface ListDevicesQuery {
  /** `next_cursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
  /** Default: 500. */
  limit?: number | undefined;
}

export interface ListHostedSessionsQuery {
  /** `next_cursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
  /** Default: 500. */
  limit?: number | undefined;
}

export interface ListInvoicesQuery {
  account_id?: string | undefined;
  status?: 'open' | 'paid' | 'no_charge' | undefined;
  /** Default: oldest_first. */
  order?: 'oldest_first' | 'newest_first' | undefined;
  /** `next_cursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
  /** Default: 500. */
  limit?: number | undefined;
}

export interface ListNumbersOfAllQuery {
  /** `next_cursor` of the page before; absent for the first page. */
  cursor?: string | undefined;
  /** Default: 500. */
  limit?: number | undefined;
}

export interface ListQuarantineQuery {
  account_id?: string | undefined;
  /** The last one of the page before: only older ones are listed. */
  before?: string | undefined;
  /** Default: 50. */
  limit?: number | undefined;
}

export interface MarkInvoicePaidBody {
  paid_at?: string | undefined;
  reference?: string | undefined;
}

export interface Member {
  member_id: string;
  name: string;
  email: string;
  role: 'owner' | 'developer' | 'read_only';
  /** False: signs in by a link first. */
  has_password: boolean;
  /** Signing in takes a code of an authenticator app too. */
  two_factor: boolean;
  /** ISO 8601 time in UTC. */
  joined_at: string;
}

export interface MemberList {
  /** In the order in which they joined. */
  members: Member[];
}

export interface NewChats {
  /** New chats in a cycle. */
  quota: number;
  used: number;
  /** Unix time in seconds. */
  cycle_ends_unix?: number;
  warning: 'none' | 'first' | 'second' | 'capped';
}

export interface NumberStanding {
  /** `watch`: signs of trouble. `restricted`: parts of what it does are refused for now. `banned`: the network lets it in for a time, or for good, no more. `unlinked`: no longer linked. */
  state: 'healthy' | 'watch' | 'restricted' | 'banned' | 'unlinked';
  /** Unix time in seconds. */
  since_unix: number;
  /** Time at which the state ends, where known. */
  until_unix?: number;
  restriction?: Restriction;
  new_chats?: NewChats;
}

export interface PasswordLink {
  /** Whose password it changes. */
  email: string;
  /** Works once and is shown only now. Give it to that person only. */
  url: string;
  /** ISO 8601 time in UTC. */
  expires_at: string;
}

export interface PublishTermsBody {
  version: string;
  url: string;
  effective_at?: string | undefined;
  /** In place of effective_at: takes effect at once. */
  now?: true | undefined;
}

export interface QuarantineEntry {
  quarantine_id: string;
  account_id: string;
  /** Null: the number is no longer registered. */
  phone: string | null;
  /** Kind of the network event. */
  kind: string;
  /** Why it could not be stored, without a word of its content. */
  reason: string;
  /** Bytes of what is kept sealed. */
  size: number;
  /** ISO 8601 time in UTC. */
  quarantined_at: string;
}

export interface QuarantineList {
  entries: QuarantineEntry[];
}

export interface QuarantineRetry {
  stored: boolean;
  /** Why it was not stored this time either. */
  reason: string | null;
}

export interface Queues {
  outbox: {
    /** Messages accepted and not on the network yet. */
    waiting: number;
    /** When the one that waits longest was accepted. */
    oldest_at: string | null;
  };
  deliveries: {
    pending: number;
    /** Waiting because their webhook is not active. */
    paused: number;
    dead: number;
    /** When the pending one that waits longest was queued. */
    oldest_at: string | null;
  };
}

export interface RegisteredNumber {
  account_id: string;
  slot_id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  plan: 'free' | 'pro' | 'max' | 'partner';
  status: 'active' | 'inactive' | 'suspended';
  activated_at: string | null;
  period_start: string | null;
  period_end: string | null;
  /** Messages included in this period. */
  quota: number;
  /** Messages accepted in this period. */
  used: number;
  /** What its owner calls it. */
  nickname: string | null;
  /** When its owner ended the plan; then `status` is `inactive`. */
  canceled_at: string | null;
  health?: NumberStanding;
}

export interface RegisteredNumberList {
  devices: RegisteredNumber[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface ResetPasswordBody {
  email?: string | undefined;
}

export interface Restriction {
  /** `reachout_timelock`: no new chats for a time. `temporary_ban`: no connection for a time. `new_chat_cap`: the quota of new chats is used up. `locked` and `banned`: for good. */
  kind: 'reachout_timelock' | 'temporary_ban' | 'new_chat_cap' | 'locked' | 'banned';
  /** The network’s own word for it. */
  type?: string;
  /** The network’s own number for it. */
  code?: number;
  /** Unix time in seconds. */
  ends_unix?: number;
}

export interface RollApiKeyBody {
  /** Default: 24. */
  overlap_hours?: number | undefined;
}

export interface RunInvoicesBody {
  until?: string | undefined;
}

export interface SetBillingWebhookBody {
  url: string;
}

export interface SetDeviceHistoryBody {
  /** False deletes all that is kept, for good. */
  enabled: boolean;
  /** Messages are deleted when they are older. Default: 30. */
  days?: number | undefined;
  /** Whether messages keep their files. Those of up to 4 MB are kept as they come, larger ones when they are first asked for. Switched off, the files are deleted. Default: true. */
  media?: boolean | undefined;
}

export interface TermsPublished {
  version: string;
  url: string;
  /** ISO 8601 time in UTC. */
  effective_at: string;
}

export interface TermsVersion {
  version: string;
  url: string;
  /** ISO 8601 time in UTC. */
  published_at: string;
  /** ISO 8601 time in UTC. */
  effective_at: string;
}

export interface TermsVersionList {
  /** Newest first; the first one that has taken effect is in force. */
  versions: TermsVersion[];
}

export interface Throughput {
  span: 'minute' | 'hour';
  /** Oldest first, without those in which nothing happened. */
  points: ThroughputPoint[];
}

export interface ThroughputPoint {
  /** When the minute or the hour began. */
  at: string;
  /** Messages accepted for sending. */
  accepted: number;
  /** Messages that the network has taken. */
  sent: number;
  /** Messages that came. */
  received: number;
  /** Events that webhooks have taken. */
  delivered: number;
}

export interface UpdateAccountBillingBody {
  currency?: string | null | undefined;
  tax_percent?: number | null | undefined;
  prices?: {
    /** Null: none. */
    free?: number | null | undefined;
    /** Null: none. */
    pro?: number | null | undefined;
    /** Null: none. */
    max?: number | null | undefined;
    /** Null: none. */
    partner?: number | null | undefined;
  } | undefined;
  buyer?: {
    name?: string | undefined;
    address?: string | undefined;
    tax_id?: string | undefined;
    email?: string | undefined;
  } | undefined;
}

export interface UpdateAccountBody {
  status?: 'active' | 'suspended' | undefined;
  accept_tos?: true | undefined;
  partner_limits?: {
    per_minute: number;
    per_period: number;
  } | undefined;
}

export interface UpdateBillingBody {
  currency?: string | null | undefined;
  tax_percent?: number | undefined;
  prices?: {
    /** Null: none. */
    free?: number | null | undefined;
    /** Null: none. */
    pro?: number | null | undefined;
    /** Null: none. */
    max?: number | null | undefined;
    /** Null: none. */
    partner?: number | null | undefined;
  } | undefined;
  seller?: {
    name?: string | undefined;
    address?: string | undefined;
    tax_id?: string | undefined;
    email?: string | undefined;
  } | undefined;
  number_prefix?: string | undefined;
  next_number?: number | undefined;
  due_days?: number | undefined;
  note?: string | undefined;
}

export interface UpdateDeviceBody {
  plan?: 'free' | 'pro' | 'max' | 'partner' | undefined;
  status?: 'active' | 'inactive' | 'suspended' | undefined;
}

export interface VisitAccountBody {
  name: string;
  reason?: string | undefined;
}

export interface Worker {
  worker: string;
  /** How many sessions it hosts. */
  sessions: number;
  /** ISO 8601 time in UTC. */
  started_at: string;
  /** ISO 8601 time in UTC. */
  last_seen: string;
}

export interface WorkerList {
  workers: Worker[];
}
