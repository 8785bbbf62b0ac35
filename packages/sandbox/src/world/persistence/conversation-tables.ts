/** Chats, groups and channels, with their messages. Times are milliseconds, booleans 0 and 1, JSON is text. */
export const conversationTables = `
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
    secret TEXT,
    UNIQUE (id, chat)
  );

  -- Each phone has a screen of its own: the content it decrypted, and the changes made there.
  CREATE TABLE copies (
    phone TEXT NOT NULL REFERENCES phones,
    seq INTEGER NOT NULL REFERENCES messages,
    delivered_at INTEGER,
    read_at INTEGER,
    played_at INTEGER,
    waiting INTEGER NOT NULL DEFAULT 0,
    content TEXT,
    edited_text TEXT,
    edited_at INTEGER,
    revoked_by TEXT,
    revoked_at INTEGER,
    starred INTEGER NOT NULL DEFAULT 0,
    hidden INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (phone, seq)
  ) WITHOUT ROWID;
  CREATE INDEX copies_of_message ON copies (seq);

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
    created_at INTEGER NOT NULL,
    description_set_at INTEGER NOT NULL DEFAULT 0,
    join_approval INTEGER NOT NULL DEFAULT 0,
    everybody_adds INTEGER NOT NULL DEFAULT 0,
    member_version INTEGER NOT NULL DEFAULT 1,
    announce_version INTEGER NOT NULL DEFAULT 1
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

  CREATE TABLE typing (
    phone TEXT NOT NULL REFERENCES phones,
    chat TEXT NOT NULL,
    media TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (phone, chat)
  ) WITHOUT ROWID;

  CREATE TABLE media (
    id TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
  );

  CREATE TABLE awaited (
    phone TEXT NOT NULL REFERENCES phones,
    session_id TEXT NOT NULL REFERENCES devices (session_id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    since INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (session_id, id, phone)
  ) WITHOUT ROWID;
  CREATE INDEX awaited_by ON awaited (phone);

  CREATE TABLE reactions (
    seq INTEGER NOT NULL REFERENCES messages,
    viewer TEXT NOT NULL REFERENCES phones,
    phone TEXT NOT NULL REFERENCES phones,
    emoji TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq, viewer, phone)
  ) WITHOUT ROWID;

  CREATE TABLE votes (
    seq INTEGER NOT NULL REFERENCES messages,
    viewer TEXT NOT NULL REFERENCES phones,
    phone TEXT NOT NULL REFERENCES phones,
    hashes TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq, viewer, phone)
  ) WITHOUT ROWID;

  -- What the owner of a phone does with chats for themselves alone.
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

  -- People who ask the admins of a group to be let in.
  CREATE TABLE join_requests (
    jid TEXT NOT NULL REFERENCES groups,
    phone TEXT NOT NULL REFERENCES phones,
    at INTEGER NOT NULL,
    PRIMARY KEY (jid, phone)
  ) WITHOUT ROWID;

  -- Codes that are no invites any more.
  CREATE TABLE revoked_invites (code TEXT PRIMARY KEY) WITHOUT ROWID;
`;
