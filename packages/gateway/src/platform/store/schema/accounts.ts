import type { AccountStatus, DeviceStatus, MemberRole, Plan } from '@parley/contract';
import type { Generated } from 'kysely';

export interface AccountTables {
  accounts: AccountRow;
  account_exports: AccountExportRow;
  account_deletions: AccountDeletionRow;
  members: MemberRow;
  one_time_links: OneTimeLinkRow;
  second_factors: SecondFactorRow;
  recovery_codes: RecoveryCodeRow;
  invitations: InvitationRow;
  api_keys: ApiKeyRow;
  devices: DeviceRow;
  number_removals: NumberRemovalRow;
  device_periods: DevicePeriodRow;
  tos_versions: TosVersionRow;
  terms_notices: TermsNoticeRow;
  audit_log: AuditRow;
}

/** A tenant: its owner, its limits and the terms it accepted. */
export interface AccountRow {
  id: string;
  name: string;
  /** Email of its first owner. */
  email: string;
  /** The first owner's, too: a process of the previous release reads it here. */
  password_hash: string | null;
  status: AccountStatus;
  tos_accepted_version: string | null;
  tos_accepted_at: number | null;
  partner_per_minute: number | null;
  partner_per_period: number | null;
  created_at: number;
  /** Set after erasure: only its invoices remain, which refer to this row. */
  erased_at: number | null;
}

/** An export of all data of an account, as a file for its owner. */
export interface AccountExportRow {
  id: string;
  account_id: string;
  /** Member id. */
  asked_by: string;
  asked_at: number;
  state: 'waiting' | 'ready' | 'failed';
  /** Progress. */
  steps_done: number;
  rows_written: number;
  /** Lease of the process that makes it, by the machine's clock. After it expires, another process resumes. */
  taken_until: number;
  /** Finished parts of the archive, as JSON; null before the first. */
  pieces: string | null;
  /** Number of failed attempts to continue. */
  failures: number;
  /** Media id of the file, once it is ready. */
  media_id: string | null;
  size: number | null;
  ready_at: number | null;
}

/** An account scheduled for erasure. */
export interface AccountDeletionRow {
  account_id: string;
  asked_by: string;
  asked_at: number;
  due_at: number;
  /** JSON: the links at the start of the erasure; null until it starts. */
  links: string | null;
}

/** A person who may sign in for an account. The one with the account's own email is its first owner. */
export interface MemberRow {
  id: string;
  account_id: string;
  email: string;
  name: string;
  role: MemberRole;
  /** Null: none yet. The first owner's is in the account. */
  password_hash: string | null;
  /** The address must be verified before anything else. */
  awaits_verification: number;
  created_at: number;
}

/** A single-use link for one purpose. Only its recipient has the token. */
export interface OneTimeLinkRow {
  token_hash: Uint8Array;
  purpose: 'password' | 'email' | 'invitation';
  /** Id of the member or the invitation. */
  subject: string;
  expires_at: number;
  created_at: number;
}

/** The authenticator app of a member. */
export interface SecondFactorRow {
  member_id: string;
  sealed: Uint8Array;
  /** Null: shown, but no code from it was accepted yet. */
  confirmed_at: number | null;
  /** Period of the last accepted code: neither it nor an older one is accepted again. */
  last_step: number;
  created_at: number;
}

/** An unused recovery code of a member's second factor, as a hash. */
export interface RecoveryCodeRow {
  member_id: string;
  code_hash: Uint8Array;
}

/** A person who was invited to an account and has not accepted yet. */
export interface InvitationRow {
  id: string;
  account_id: string;
  email: string;
  role: MemberRole;
  /** Sent by mail: opening the link proves access to that address. */
  by_mail: number;
  expires_at: number;
  created_at: number;
}

/** An API key with its permissions; the secret as a hash. */
export interface ApiKeyRow {
  id: string;
  account_id: string;
  name: string;
  secret_hash: Uint8Array;
  phone: string | null;
  /** JSON array; null: all permissions. */
  permissions: string | null;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  created_at: number;
  /** The key that created this one; null: the operator or a member did. */
  parent_key_id: string | null;
  /** What the key expires with, in the notation of the room that created it; null: nothing. */
  belongs_to: string | null;
}

/** A registered number (slot) with its plan. */
export interface DeviceRow {
  slot_id: string;
  account_id: string;
  phone: string;
  plan: Plan;
  status: DeviceStatus;
  /** Start of the plan; periods roll monthly from here. Null while the device was never active, or is inactive. */
  activated_at: number | null;
  created_at: number;
  /** Name given by its owner. */
  nickname: string | null;
  /** When its owner canceled the plan and may start another; null where the operator deactivated it. */
  canceled_at: number | null;
  /** When its owner removed it; afterwards the row only records whose it was. */
  removed_at: number | null;
}

/** A removed number with data still to delete, or an event still to publish. */
export interface NumberRemovalRow {
  slot_id: string;
  account_id: string;
  /** The number that it had; another slot may have it by now. */
  phone: string;
  removed_at: number;
}

/** One subscription period of one number: its quota and usage. */
export interface DevicePeriodRow {
  slot_id: string;
  started_at: number;
  ends_at: number;
  plan: Plan;
  quota: number;
  /** Includes usage carried over. */
  used: Generated<number>;
  carried: Generated<number>;
  invoiced: Generated<number>;
  /** Original end, if the period was cut short; null otherwise. */
  planned_end: Generated<number | null>;
}

/** A version of the terms of service. */
export interface TosVersionRow {
  version: string;
  url: string;
  /** Grows with each version; the highest one in effect applies. */
  number: number;
  published_at: number;
  /** Null: effective at publication, written by an older release. */
  effective_at: number | null;
}

/** An account that was notified of a version by mail. */
export interface TermsNoticeRow {
  account_id: string;
  version: string;
  noticed_at: number;
}

/** A change, who made it, and when. */
export interface AuditRow {
  number: number;
  at: number;
  actor: string;
  account_id: string | null;
  action: string;
  subject: string;
  detail: string;
}

export interface PortalTables {
  browser_sessions: BrowserSessionRow;
  portal_limits: PortalLimitRow;
}

/** A signed-in browser. */
export interface BrowserSessionRow {
  /** Hash of the cookie's token; only the browser has the token. */
  token_hash: Uint8Array;
  /** Null: the operator. */
  account_id: string | null;
  created_at: number;
  /** Rounded to the minute. */
  seen_at: number;
  /** Null: created by a process of the previous release for the first owner, or the operator. */
  member_id: string | null;
  /** User agent, as the browser states it. */
  browser: string | null;
  address: string | null;
  /** Name of the operator who views the account for a limited time. Null: a member's own session. */
  operator_name: string | null;
}

/** Usage of one of the portal's rate limits; see the kernel's rate arithmetic. */
interface PortalLimitRow {
  name: string;
  full_at: number;
}

export interface CompatTables {
  compat_names: CompatNameRow;
  compat_templates: CompatTemplateRow;
}

/** A named template text of an account. */
export interface CompatTemplateRow {
  account_id: string;
  name: string;
  language: string;
  /** JSON, sealed. */
  definition: Uint8Array;
}

/** The name of a number in another program's interface. */
export interface CompatNameRow {
  account_id: string;
  /** The compatible interface that the name belongs to. */
  surface: string;
  name: string;
  slot_id: string;
  /** State that the interface keeps for it, as JSON, sealed. */
  remembered: Uint8Array;
  created_at: number;
  updated_at: number;
}
