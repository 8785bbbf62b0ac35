/** Times are milliseconds, booleans 0 and 1, JSON is text. A step is never changed once released; add another. */
export const steps = [
  `
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
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE devices (
    phone TEXT NOT NULL REFERENCES phones,
    device INTEGER NOT NULL,
    session_id TEXT NOT NULL UNIQUE,
    identity BLOB NOT NULL,
    available INTEGER NOT NULL DEFAULT 0,
    linked_at INTEGER NOT NULL,
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

  CREATE TABLE chats (
    chat TEXT PRIMARY KEY,
    disappearing_seconds INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;

  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    chat TEXT NOT NULL,
    sender TEXT NOT NULL REFERENCES phones,
    sender_device INTEGER NOT NULL,
    at INTEGER NOT NULL,
    bubble INTEGER NOT NULL,
    content TEXT NOT NULL,
    expires_in INTEGER NOT NULL,
    edited_text TEXT,
    edited_at INTEGER,
    revoked_by TEXT,
    revoked_at INTEGER,
    UNIQUE (id, chat)
  );

  CREATE TABLE copies (
    phone TEXT NOT NULL REFERENCES phones,
    seq INTEGER NOT NULL REFERENCES messages,
    delivered_at INTEGER,
    read_at INTEGER,
    played_at INTEGER,
    PRIMARY KEY (phone, seq)
  ) WITHOUT ROWID;
  CREATE INDEX copies_of_message ON copies (seq);

  CREATE TABLE reactions (
    seq INTEGER NOT NULL REFERENCES messages,
    phone TEXT NOT NULL REFERENCES phones,
    emoji TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq, phone)
  ) WITHOUT ROWID;

  CREATE TABLE votes (
    seq INTEGER NOT NULL REFERENCES messages,
    phone TEXT NOT NULL REFERENCES phones,
    hashes TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq, phone)
  ) WITHOUT ROWID;

  CREATE TABLE groups (
    jid TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_set_at INTEGER NOT NULL,
    name_set_by TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    description_id TEXT NOT NULL DEFAULT '',
    announce INTEGER NOT NULL DEFAULT 0,
    locked INTEGER NOT NULL DEFAULT 0,
    invite_code TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE members (
    jid TEXT NOT NULL REFERENCES groups,
    phone TEXT NOT NULL REFERENCES phones,
    role TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (jid, phone)
  ) WITHOUT ROWID;
  CREATE INDEX memberships ON members (phone);

  CREATE TABLE channels (
    jid TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    invite_code TEXT NOT NULL UNIQUE,
    last_server_id INTEGER NOT NULL DEFAULT 99,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE followers (
    jid TEXT NOT NULL REFERENCES channels,
    phone TEXT NOT NULL REFERENCES phones,
    role TEXT NOT NULL,
    muted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (jid, phone)
  ) WITHOUT ROWID;
  CREATE INDEX follows ON followers (phone);

  CREATE TABLE channel_messages (
    jid TEXT NOT NULL REFERENCES channels,
    server_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (jid, server_id),
    UNIQUE (jid, id)
  ) WITHOUT ROWID;

  CREATE TABLE channel_reactions (
    jid TEXT NOT NULL,
    server_id INTEGER NOT NULL,
    phone TEXT NOT NULL REFERENCES phones,
    emoji TEXT NOT NULL,
    PRIMARY KEY (jid, server_id, phone),
    FOREIGN KEY (jid, server_id) REFERENCES channel_messages
  ) WITHOUT ROWID;

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

  CREATE TABLE typing (
    phone TEXT NOT NULL REFERENCES phones,
    chat TEXT NOT NULL,
    media TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (phone, chat)
  ) WITHOUT ROWID;

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

  CREATE TABLE media (
    id TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
  );

  CREATE TABLE faults (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES devices (session_id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    remaining INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    until INTEGER NOT NULL
  );
  CREATE INDEX faults_of ON faults (session_id, id);

  CREATE TABLE vault (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (scope, key)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE awaited (
    phone TEXT NOT NULL REFERENCES phones,
    session_id TEXT NOT NULL REFERENCES devices (session_id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    since INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (session_id, id, phone)
  ) WITHOUT ROWID;
  CREATE INDEX awaited_by ON awaited (phone);
  `,
  `
  ALTER TABLE devices ADD COLUMN logins INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE devices ADD COLUMN last_login_at INTEGER;
  ALTER TABLE faults ADD COLUMN code INTEGER;
  ALTER TABLE faults ADD COLUMN reason_code INTEGER;
  ALTER TABLE faults ADD COLUMN expire_seconds INTEGER;
  ALTER TABLE phones ADD COLUMN locked INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE phones ADD COLUMN banned_until INTEGER;
  ALTER TABLE phones ADD COLUMN ban_code INTEGER;
  `,
  `
  ALTER TABLE phones ADD COLUMN nct_salt BLOB;
  ALTER TABLE phones ADD COLUMN token_requests INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE trusted_tokens (
    giver TEXT NOT NULL REFERENCES phones,
    holder TEXT NOT NULL REFERENCES phones,
    bucket INTEGER NOT NULL,
    token BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (giver, holder, bucket)
  ) WITHOUT ROWID;
  `,
  // Each phone has a screen of its own: the content it decrypted, and the changes made there.
  `
  ALTER TABLE copies ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE copies ADD COLUMN content TEXT;
  ALTER TABLE copies ADD COLUMN edited_text TEXT;
  ALTER TABLE copies ADD COLUMN edited_at INTEGER;
  ALTER TABLE copies ADD COLUMN revoked_by TEXT;
  ALTER TABLE copies ADD COLUMN revoked_at INTEGER;
  UPDATE copies SET (edited_text, edited_at, revoked_by, revoked_at) =
    (SELECT edited_text, edited_at, revoked_by, revoked_at FROM messages m WHERE m.seq = copies.seq);
  ALTER TABLE messages DROP COLUMN edited_text;
  ALTER TABLE messages DROP COLUMN edited_at;
  ALTER TABLE messages DROP COLUMN revoked_by;
  ALTER TABLE messages DROP COLUMN revoked_at;

  ALTER TABLE reactions RENAME TO common_reactions;
  CREATE TABLE reactions (
    seq INTEGER NOT NULL REFERENCES messages,
    viewer TEXT NOT NULL REFERENCES phones,
    phone TEXT NOT NULL REFERENCES phones,
    emoji TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq, viewer, phone)
  ) WITHOUT ROWID;
  INSERT INTO reactions SELECT r.seq, c.phone, r.phone, r.emoji, r.at
    FROM common_reactions r JOIN copies c ON c.seq = r.seq;
  DROP TABLE common_reactions;

  ALTER TABLE votes RENAME TO common_votes;
  CREATE TABLE votes (
    seq INTEGER NOT NULL REFERENCES messages,
    viewer TEXT NOT NULL REFERENCES phones,
    phone TEXT NOT NULL REFERENCES phones,
    hashes TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq, viewer, phone)
  ) WITHOUT ROWID;
  INSERT INTO votes SELECT v.seq, c.phone, v.phone, v.hashes, v.at
    FROM common_votes v JOIN copies c ON c.seq = v.seq;
  DROP TABLE common_votes;
  `,
  `
  ALTER TABLE phones ADD COLUMN addressing TEXT NOT NULL DEFAULT 'lid';
  `,
  `
  ALTER TABLE groups ADD COLUMN description_set_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE groups ADD COLUMN join_approval INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE groups ADD COLUMN everybody_adds INTEGER NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE phones ADD COLUMN requires_passkey INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE phones ADD COLUMN passkey_rp_id TEXT NOT NULL DEFAULT 'localhost';

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
  `,
  `
  ALTER TABLE phones ADD COLUMN restriction_type TEXT;
  ALTER TABLE phones ADD COLUMN restricted_until INTEGER;
  ALTER TABLE phones ADD COLUMN cap_quota INTEGER;
  ALTER TABLE phones ADD COLUMN cap_used INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE phones ADD COLUMN cap_cycle_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE phones ADD COLUMN cap_started_at INTEGER NOT NULL DEFAULT 0;

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
  `,
  // What the owner of a phone does with chats and messages for themselves alone.
  `
  CREATE TABLE chat_states (
    phone TEXT NOT NULL REFERENCES phones,
    chat TEXT NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0,
    pinned INTEGER NOT NULL DEFAULT 0,
    muted_until INTEGER,
    unread INTEGER NOT NULL DEFAULT 0,
    deleted_at INTEGER,
    PRIMARY KEY (phone, chat)
  ) WITHOUT ROWID;
  ALTER TABLE copies ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE copies ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
  `,
  // People with a username, whose number is hidden.
  `
  ALTER TABLE phones ADD COLUMN username TEXT;
  ALTER TABLE phones ADD COLUMN username_key TEXT;
  ALTER TABLE phones ADD COLUMN hides_phone INTEGER NOT NULL DEFAULT 0;
  CREATE UNIQUE INDEX phones_by_username ON phones (lower(username));
  `,
  // Accounts whose links the network registers anew at the scan.
  `
  ALTER TABLE phones ADD COLUMN refreshes_pairing INTEGER NOT NULL DEFAULT 0;
  `,
  // Numbers that are written in two ways.
  `
  ALTER TABLE phones ADD COLUMN other_spelling TEXT;
  CREATE UNIQUE INDEX phones_by_other_spelling ON phones (other_spelling);
  `,
  // People who ask the admins of a group to be let in.
  `
  CREATE TABLE join_requests (
    jid TEXT NOT NULL REFERENCES groups,
    phone TEXT NOT NULL REFERENCES phones,
    at INTEGER NOT NULL,
    PRIMARY KEY (jid, phone)
  ) WITHOUT ROWID;
  `,
  // Apps that are installed anew or rotate their keys, and accounts that change their number.
  `
  ALTER TABLE phones ADD COLUMN installation INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE phones ADD COLUMN signed_pre_key INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE phones ADD COLUMN changed_to TEXT;
  ALTER TABLE phones ADD COLUMN past_bytes INTEGER NOT NULL DEFAULT 0;
  `,
  // Updates of messages that are encrypted under a secret of the message.
  `
  ALTER TABLE phones ADD COLUMN edits TEXT NOT NULL DEFAULT 'encrypted';
  ALTER TABLE messages ADD COLUMN secret TEXT;
  `,
  // Versions of groups, and codes that are no invites any more.
  `
  ALTER TABLE groups ADD COLUMN member_version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE groups ADD COLUMN announce_version INTEGER NOT NULL DEFAULT 1;
  CREATE TABLE revoked_invites (code TEXT PRIMARY KEY) WITHOUT ROWID;
  `,
];
