/**
 * Columns that belong to one account for good: its own id, and the ids of what it has. A statement that finds its rows by one of them, or
 * writes it with the row, does not reach beyond the account that it was given. Batches carry the id with every row of theirs.
 */
const OWNED =
  '(?:account_id|slot_id|session_id|link_id|history_id|message_id|media_id|member_id|webhook_id|event_id|invoice_id|key_id)';
const WITHIN_AN_ACCOUNT = [
  new RegExp(`\\b${OWNED}"?\\s*(?:=|in\\b|is not distinct from)`, 'i'),
  new RegExp(`\\([^()]*\\b${OWNED}"?[^()]*\\)\\s*(?:=|in\\b)`, 'i'),
  new RegExp(`^\\s*insert\\s+into\\s+"?\\w+"?(?: as \\w+)?\\s*\\([^)]*\\b${OWNED}`, 'i'),
  // One row by its key.
  /\b(?:id|seq|rowid|token_hash|hash|phone|email)"?\s*(?:=|in\b)/i,
];

/** They belong to no account. */
const SHARED_TABLES = new Set([
  'workers',
  'tos_versions',
  'client_versions',
  'network_drift',
  'billing_settings',
  'mail_outbox',
  'throughput',
  // PostgreSQL's own, of tables and their parts.
  'pg_inherits',
  'pg_class',
]);

/** What is done for all accounts at once, none of it on behalf of one: each finds out where there is work, or counts, and goes on within an account. */
const FOR_ALL_ACCOUNTS = [
  // Who may enter follows the audit log, whose entries are numbered across accounts.
  /^select max\("number"\) as "number" from "audit_log"$/,
  /^select "number", "account_id" from "audit_log" where "number" > /,
  // Sessions and pairings are shared out among workers.
  /^select .* from "sessions" where "worker" = /,
  /^select .* from "sessions" where "status" != .* "worker" is null /,
  /^select "worker", count\(\*\) as "sessions" from "sessions" /,
  /^with recursive "hosts"\("worker"\) as /,
  /^select .* from "onboardings" where "ended_at" is null and /,
  /^select "link_id" from "ending_links" where "taken_until" <= /,
  // A process that starts again gives back the room that it held for files.
  /^delete from "media_reservations" where "holder" = /,
  // Which receivers have something due.
  /^\s*WITH RECURSIVE lane\(account_id, url, due_at\) AS /,
  // What is due by the clock: retention, exports, removals, health, notices.
  /^(?:select .*|delete) from "\w+" where \(?(?:"state" = \S+ and )?"(?:expires_at|due_at|taken_until|starts_at|at|asked_at)" <=? /,
  /^select distinct "slot_id" from "health_counts" where "starts_at" < /,
  /^select \* from "(?:number_removals|account_deletions)" order by /,
  /^select .* from "histories" where "ended_at" is /,
  /^select distinct "account_id" from "(?:webhooks" union |failing_receivers"$)/,
  // Which links are looked through for too many secrets.
  /^select "link_id" from "network_links" where "link_id" > \S+ order by /,
  // Whose days that are over are counted next.
  /^select "slot_id" from "devices" where "slot_id" > \S+ and "removed_at" is null order by /,
  // The operator's lists, and the metrics.
  /^select \* from "(?:accounts|devices)" where "(?:erased|removed)_at" is null order by /,
  /^select \* from "(?:number_health|invoices|audit_log)"(?: order by .*)?$/,
  /^select .* from "(?:sessions|workers)" left join "(?:sessions|workers)" .* (?:order|group) by /,
  /^select (?:count\(\*\)|sum\(|"state", count\(\*\)).* from .*"(?:outbox|deliveries|network_journal|health_counts|number_health)"/,
];

/** Whether a statement could read or change rows of several accounts without being one of those that are meant to. */
export function reachesBeyondAnAccount(sql: string): boolean {
  const tables = [...sql.matchAll(/\b(?:from|join|into|update(?!\s+set\b))\s+"?(\w+)"?/gi)].map(
    ([, name = '']) => name,
  );
  if (tables.every((table) => SHARED_TABLES.has(table))) return false;
  return ![...WITHIN_AN_ACCOUNT, ...FOR_ALL_ACCOUNTS].some((pattern) => pattern.test(sql));
}
