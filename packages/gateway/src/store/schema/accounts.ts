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

export interface AccountRow {
  id: string;
  name: string;
  /** Of its first owner. */
  email: string;
  /** The first owner's too, because a process of the last release looks for it here. */
  password_hash: string | null;
  status: AccountStatus;
  tos_accepted_version: string | null;
  tos_accepted_at: number | null;
  partner_per_minute: number | null;
  partner_per_period: number | null;
  created_at: number;
  /** From then on nothing is left of it but its invoices, which refer to this row. */
  erased_at: number | null;
}

/** All that an account has, as a file for its owner. */
export interface AccountExportRow {
  id: string;
  account_id: string;
  /** The member. */
  asked_by: string;
  asked_at: number;
  state: 'waiting' | 'ready' | 'failed';
  /** How far it has come. */
  steps_done: number;
  rows_written: number;
  /** Lease of whoever makes it, by the machine's clock; after it another process goes on. */
  taken_until: number;
  /** Pieces of the archive that are made already, as JSON; null before the first. */
  pieces: string | null;
  /** How often it could not be gone on with. */
  failures: number;
  /** Where the file is, once it is ready. */
  media_id: string | null;
  size: number | null;
  ready_at: number | null;
}

/** An account that is to be erased. */
export interface AccountDeletionRow {
  account_id: string;
  asked_by: string;
  asked_at: number;
  due_at: number;
  /** JSON: the links that it had when the erasing began; null: it has not begun. */
  links: string | null;
}

/** Somebody who may sign in for an account. The one with the account's own email is its first owner. */
export interface MemberRow {
  id: string;
  account_id: string;
  email: string;
  name: string;
  role: MemberRole;
  /** Null: none yet. The first owner's stands in the account. */
  password_hash: string | null;
  /** Has to show that the address is theirs before anything else. */
  awaits_verification: number;
  created_at: number;
}

/** A link that is good for one thing, once. Only whom it was given to has the token. */
export interface OneTimeLinkRow {
  token_hash: Uint8Array;
  purpose: 'password' | 'email' | 'invitation';
  /** The member, or the invitation. */
  subject: string;
  expires_at: number;
  created_at: number;
}

/** What a member's authenticator app shows codes by. */
export interface SecondFactorRow {
  member_id: string;
  sealed: Uint8Array;
  /** Null: shown, but no code of it was seen yet. */
  confirmed_at: number | null;
  /** The period of the last code that was taken: neither it nor an older one counts again. */
  last_step: number;
  created_at: number;
}

export interface RecoveryCodeRow {
  member_id: string;
  code_hash: Uint8Array;
}

/** Somebody who was asked to join an account and has not come yet. */
export interface InvitationRow {
  id: string;
  account_id: string;
  email: string;
  role: MemberRole;
  /** The link went to that address: whoever has it can read mails there. */
  by_mail: number;
  expires_at: number;
  created_at: number;
}

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
  /** The key that has made it; null: the operator or a member has. */
  parent_key_id: string | null;
  /** What it ends with, as the room says it that has made it; null: nothing. */
  belongs_to: string | null;
}

export interface DeviceRow {
  slot_id: string;
  account_id: string;
  phone: string;
  plan: Plan;
  status: DeviceStatus;
  /** When the plan began; periods roll monthly from here. Null while the device was never active, or is inactive. */
  activated_at: number | null;
  created_at: number;
  /** What its owner calls it. */
  nickname: string | null;
  /** When its owner ended the plan, who may begin another; null where the operator made it inactive. */
  canceled_at: number | null;
  /** When its owner gave it up: from then on it is none, and its row only says whose it was. */
  removed_at: number | null;
}

/** A number that was removed and of which something is still here, or still to be told. */
export interface NumberRemovalRow {
  slot_id: string;
  account_id: string;
  /** Which it had; another slot may have it by now. */
  phone: string;
  removed_at: number;
}

/** One subscription period of one number: what it may send and what it has sent. */
export interface DevicePeriodRow {
  slot_id: string;
  started_at: number;
  ends_at: number;
  plan: Plan;
  quota: number;
  /** Includes what was carried over. */
  used: Generated<number>;
  carried: Generated<number>;
  invoiced: Generated<number>;
  /** When it would have ended, had it not been cut short; null: it was not. */
  planned_end: Generated<number | null>;
}

export interface TosVersionRow {
  version: string;
  url: string;
  /** Grows with each version; of those that have taken effect the highest is in force. */
  number: number;
  published_at: number;
  /** Null: with its publication, by an older release. */
  effective_at: number | null;
}

/** An account that was told of a version by mail. */
export interface TermsNoticeRow {
  account_id: string;
  version: string;
  noticed_at: number;
}

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

/** Somebody who has signed in with a browser. */
export interface BrowserSessionRow {
  /** Of the cookie, which only the browser has. */
  token_hash: Uint8Array;
  /** Null: the operator. */
  account_id: string | null;
  created_at: number;
  /** To the minute. */
  seen_at: number;
  /** Null: made by a process of the last release, for the first owner; or the operator. */
  member_id: string | null;
  /** What the browser calls itself. */
  browser: string | null;
  address: string | null;
  /** The operator, who looks at the account for a while. Null: somebody's own. */
  operator_name: string | null;
}

/** How far one of the portal's own limits is used up; see the kernel's rate arithmetic. */
interface PortalLimitRow {
  name: string;
  full_at: number;
}
