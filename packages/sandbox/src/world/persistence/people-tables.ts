/** Phones with their devices, people among each other, and what the network keeps for and against them. Times are milliseconds, booleans 0 and 1, JSON is text. */
export const peopleTables = `
  CREATE TABLE phones (
    phone TEXT PRIMARY KEY,
    lid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    business_name TEXT,
    auto_read INTEGER NOT NULL,
    hides_photo INTEGER NOT NULL,
    lid_mode INTEGER NOT NULL,
    online INTEGER NOT NULL DEFAULT 0,
    last_seen_at INTEGER,
    duplicates_dropped INTEGER NOT NULL DEFAULT 0,
    last_device INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    locked INTEGER NOT NULL DEFAULT 0,
    banned_until INTEGER,
    ban_code INTEGER,
    nct_salt BLOB,
    token_requests INTEGER NOT NULL DEFAULT 0,
    addressing TEXT NOT NULL DEFAULT 'lid',
    requires_passkey INTEGER NOT NULL DEFAULT 0,
    passkey_rp_id TEXT NOT NULL DEFAULT 'localhost',
    restriction_type TEXT,
    restricted_until INTEGER,
    cap_quota INTEGER,
    cap_used INTEGER NOT NULL DEFAULT 0,
    cap_cycle_ms INTEGER NOT NULL DEFAULT 0,
    cap_started_at INTEGER NOT NULL DEFAULT 0,
    username TEXT,
    username_key TEXT,
    hides_phone INTEGER NOT NULL DEFAULT 0,
    refreshes_pairing INTEGER NOT NULL DEFAULT 0,
    other_spelling TEXT,
    installation INTEGER NOT NULL DEFAULT 0,
    signed_pre_key INTEGER NOT NULL DEFAULT 1,
    changed_to TEXT,
    past_bytes INTEGER NOT NULL DEFAULT 0,
    edits TEXT NOT NULL DEFAULT 'encrypted'
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX phones_by_username ON phones (lower(username));
  CREATE UNIQUE INDEX phones_by_other_spelling ON phones (other_spelling);

  CREATE TABLE devices (
    phone TEXT NOT NULL REFERENCES phones,
    device INTEGER NOT NULL,
    session_id TEXT NOT NULL UNIQUE,
    identity BLOB NOT NULL,
    available INTEGER NOT NULL DEFAULT 0,
    linked_at INTEGER NOT NULL,
    logins INTEGER NOT NULL DEFAULT 0,
    last_login_at INTEGER,
    PRIMARY KEY (phone, device)
  ) WITHOUT ROWID;

  CREATE TABLE mailbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES devices (session_id) ON DELETE CASCADE,
    news TEXT NOT NULL,
    stale_at INTEGER
  );
  CREATE INDEX mailbox_in_order ON mailbox (session_id, id);
  CREATE INDEX mailbox_stale ON mailbox (session_id, stale_at) WHERE stale_at IS NOT NULL;

  CREATE TABLE contacts (
    owner TEXT NOT NULL REFERENCES phones,
    phone TEXT NOT NULL,
    first_name TEXT NOT NULL,
    full_name TEXT NOT NULL,
    PRIMARY KEY (owner, phone)
  ) WITHOUT ROWID;
  CREATE INDEX known_by ON contacts (phone);

  CREATE TABLE blocks (
    owner TEXT NOT NULL REFERENCES phones,
    phone TEXT NOT NULL REFERENCES phones,
    PRIMARY KEY (owner, phone)
  ) WITHOUT ROWID;

  -- What people let others see and do; excluded people by number.
  CREATE TABLE privacy (
    phone TEXT NOT NULL REFERENCES phones,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    excluded TEXT NOT NULL,
    PRIMARY KEY (phone, name)
  ) WITHOUT ROWID;

  CREATE TABLE photos (
    owner TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL
  );

  CREATE TABLE subscriptions (
    session_id TEXT NOT NULL REFERENCES devices (session_id) ON DELETE CASCADE,
    phone TEXT NOT NULL REFERENCES phones,
    PRIMARY KEY (phone, session_id)
  ) WITHOUT ROWID;
  CREATE INDEX subscriptions_of ON subscriptions (session_id);

  CREATE TABLE calls (
    id TEXT PRIMARY KEY,
    caller TEXT NOT NULL REFERENCES phones,
    callee TEXT NOT NULL REFERENCES phones,
    video INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    started_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX calls_made ON calls (caller);
  CREATE INDEX calls_taken ON calls (callee);

  CREATE TABLE faults (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES devices (session_id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    remaining INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    until INTEGER NOT NULL,
    code INTEGER,
    reason_code INTEGER,
    expire_seconds INTEGER
  );
  CREATE INDEX faults_of ON faults (session_id, id);

  CREATE TABLE vault (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (scope, key)
  ) WITHOUT ROWID;

  CREATE TABLE trusted_tokens (
    giver TEXT NOT NULL REFERENCES phones,
    holder TEXT NOT NULL REFERENCES phones,
    bucket INTEGER NOT NULL,
    token BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (giver, holder, bucket)
  ) WITHOUT ROWID;

  CREATE TABLE passkeys (
    phone TEXT NOT NULL REFERENCES phones,
    credential_id TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    PRIMARY KEY (phone, credential_id)
  ) WITHOUT ROWID;

  CREATE TABLE passkey_faults (
    phone TEXT NOT NULL REFERENCES phones,
    kind TEXT NOT NULL,
    remaining INTEGER NOT NULL,
    PRIMARY KEY (phone, kind)
  ) WITHOUT ROWID;

  -- Whom the linked devices of a phone wrote to first, and when.
  CREATE TABLE new_chats (
    phone TEXT NOT NULL REFERENCES phones,
    person TEXT NOT NULL REFERENCES phones,
    at INTEGER NOT NULL,
    PRIMARY KEY (phone, person)
  ) WITHOUT ROWID;
  CREATE INDEX new_chats_by_time ON new_chats (phone, at);

  CREATE TABLE rate_limits (
    phone TEXT NOT NULL REFERENCES phones,
    kind TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (phone, kind)
  ) WITHOUT ROWID;

  CREATE TABLE reports (
    phone TEXT NOT NULL REFERENCES phones,
    reporter TEXT NOT NULL REFERENCES phones,
    at INTEGER NOT NULL,
    PRIMARY KEY (phone, reporter)
  ) WITHOUT ROWID;
`;
