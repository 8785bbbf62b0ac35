import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Dialect } from '../types.ts';

/** Values that each row is made of: `i` counts the rows. */
export interface FillContext {
  readonly now: number;
  /** Prefix of message ids of this moment. */
  readonly messageId: string;
  /** For each table that grows with traffic. */
  readonly rows?: number;
}

/** Inserts old rows that no process has to work on, so that tables are as large as in production. Returns the tables that are large now. */
export async function fillTables(url: string, context: FillContext): Promise<ReadonlySet<string>> {
  const dialect: Dialect = url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const filled = filling(dialect, context);
  const statements = filled.map(([table, rows, columns]) => {
    const names = Object.keys(columns).join(', ');
    const values = Object.values(columns).join(', ');
    return dialect === 'sqlite'
      ? `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
         INSERT INTO ${table} (${names}) SELECT ${values} FROM n`
      : `INSERT INTO ${table} (${names}) SELECT ${values} FROM generate_series(1, ${rows}) AS i`;
  });
  // PostgreSQL's autovacuum keeps statistics; SQLite needs ANALYZE.
  if (dialect === 'sqlite') fillSqlite(url, statements);
  else await fillPostgres(url, [...statements, 'ANALYZE']);
  return new Set(filled.filter(([, rows]) => rows >= LARGE).map(([table]) => table));
}

function fillSqlite(url: string, statements: readonly string[]): void {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 });
  db.exec('BEGIN IMMEDIATE');
  for (const statement of statements) db.exec(statement);
  db.exec('COMMIT');
  db.close();
}

async function fillPostgres(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const FAR_AHEAD = 4_000_000_000_000;
const NUMBERS = 4_000;
const LARGE = 1_000;

type Filling = readonly [table: string, rows: number, columns: Readonly<Record<string, string>>];

/** SQL for both dialects. Accounts have 2 numbers each. */
function filling(dialect: Dialect, { now, messageId, rows = 30_000 }: FillContext): readonly Filling[] {
  const bytes = dialect === 'sqlite' ? "x'00'" : "'\\x00'::bytea";
  const distinctBytes =
    dialect === 'sqlite' ? "CAST('filled ' || i AS BLOB)" : "convert_to('filled ' || i, 'UTF8')";
  const [account, slot, link] = [
    `'acc_' || (i % ${NUMBERS / 2})`,
    `'slot_' || (i % ${NUMBERS})`,
    `'link_' || (i % ${NUMBERS})`,
  ];
  const at = `${now}`;
  const paddedI = dialect === 'sqlite' ? "printf('%010d', i)" : "lpad(i::text, 10, '0')";
  const message = `'${messageId}' || ${paddedI}`;
  return [
    [
      'accounts',
      NUMBERS / 2,
      {
        id: `'acc_' || (i - 1)`,
        name: "'filled'",
        email: "'filled-' || i",
        status: "'active'",
        created_at: at,
      },
    ],
    [
      'api_keys',
      NUMBERS / 2,
      { id: "'key_' || i", account_id: account, name: "'filled'", secret_hash: bytes, created_at: at },
    ],
    [
      'devices',
      NUMBERS,
      {
        slot_id: `'slot_' || (i - 1)`,
        account_id: account,
        phone: "'999' || i",
        plan: "'pro'",
        status: "'active'",
        activated_at: at,
        created_at: at,
      },
    ],
    [
      'device_periods',
      NUMBERS,
      { slot_id: slot, started_at: at, ends_at: `${FAR_AHEAD}`, plan: "'pro'", quota: '1000' },
    ],
    [
      'invoices',
      rows,
      {
        id: "'inv_' || i",
        account_id: account,
        slot_id: slot,
        phone: "'999' || i",
        plan: "'pro'",
        period_start: 'i',
        period_end: 'i + 1',
        quota: '1000',
        used: '1',
        issued_at: at,
      },
    ],
    // Below the sequence numbers that a reader of the log has still to read.
    [
      'audit_log',
      rows,
      {
        number: '-i',
        at,
        actor: "'system'",
        account_id: account,
        action: "'filled'",
        subject: account,
        detail: "'{}'",
      },
    ],
    ['network_links', NUMBERS, { link_id: `'link_' || (i - 1)`, fence: '1', creds: bytes, created_at: at }],
    [
      'network_records',
      rows,
      {
        link_id: link,
        kind: "'session'",
        id: "'id-' || i",
        value: bytes,
        expires_at: `CASE WHEN i % 2 = 0 THEN ${FAR_AHEAD} END`,
      },
    ],
    [
      'network_journal',
      rows,
      { link_id: link, digest: "'digest-' || i", event_key: "'event-' || i", seq: 'i', taken_at: at },
    ],
    [
      'webhooks',
      NUMBERS,
      {
        id: "'wh_' || i",
        account_id: account,
        slot_id: slot,
        phone: "'999' || i",
        messages_url: "'http://127.0.0.1:9/' || i",
        status_url: "''",
        connection_url: "''",
        events_url: "''",
        active: '1',
        secret: bytes,
        created_at: at,
      },
    ],
    [
      'deliveries',
      rows,
      {
        account_id: account,
        webhook_id: `'wh_' || (i % ${NUMBERS})`,
        event_seq: 'i',
        event_id: "'ev-' || i",
        kind: "'message'",
        category: "'messages'",
        url: `'http://127.0.0.1:9/' || (i % 50)`,
        size: '2',
        status: "CASE WHEN i % 100 = 0 THEN 'pending' WHEN i % 50 = 0 THEN 'dead' ELSE 'delivered' END",
        queued_at: at,
        due_at: `${FAR_AHEAD}`,
        event: "'{}'",
      },
    ],
    [
      'events',
      rows,
      {
        tx: '0',
        account_id: account,
        slot_id: slot,
        key: "'key-' || i",
        event_id: "'ev-' || i",
        kind: "'message'",
        at,
        expires_at: `${FAR_AHEAD}`,
        size: '2',
        body: "'{}'",
      },
    ],
    [
      'workers',
      1,
      { worker: "'elsewhere'", started_at: at, last_seen: at, lease_expires_at: `${FAR_AHEAD}` },
    ],
    [
      'sessions',
      NUMBERS,
      {
        slot_id: `'slot_' || (i - 1)`,
        account_id: account,
        phone: "'999' || i",
        session_id: "'999' || i || ':1@s.whatsapp.net'",
        link_id: `'link_' || (i - 1)`,
        status: "'connected'",
        since: at,
        auto_reject: '0',
        worker: "'elsewhere'",
        fence: '1',
      },
    ],
    [
      'onboardings',
      rows,
      {
        id: "'onb_' || i",
        account_id: account,
        slot_id: slot,
        phone: "'999'",
        method: "'qr'",
        link_id: link,
        status: "'paired'",
        created_at: at,
        expires_at: at,
        ended_at: at,
      },
    ],
    ['onboarding_links', rows, { token_hash: distinctBytes, onboarding_id: "'onb_' || i", created_at: at }],
    [
      'messages',
      rows,
      {
        id: message,
        account_id: account,
        slot_id: slot,
        session_id: "'999:1@s.whatsapp.net'",
        request_id: "'filled-' || i",
        to_jid: "'999@s.whatsapp.net'",
        type: "'text'",
        status: "'delivered'",
        accepted_at: at,
        updated_at: at,
      },
    ],
    [
      'send_limits',
      NUMBERS,
      {
        slot_id: `'slot_' || (i - 1)`,
        plan_full_at: '0',
        session_full_at: '0',
        run_length: '0',
        run_since: '0',
        last_sent_at: '0',
        paused_until: '0',
        next_seq: 'i',
      },
    ],
    ['account_limits', NUMBERS / 2, { account_id: `'acc_' || (i - 1)`, full_at: '0' }],
    [
      'outbox',
      NUMBERS,
      { slot_id: slot, seq: 'i', message_id: message, sealed: bytes, attempts: '0', due_at: at },
    ],
    [
      'idempotency_keys',
      rows,
      {
        account_id: account,
        key: "'filled-' || i",
        request_hash: bytes,
        message_id: message,
        created_at: at,
      },
    ],
    [
      'browser_sessions',
      NUMBERS,
      { token_hash: distinctBytes, account_id: account, created_at: at, seen_at: at },
    ],
    [
      'history_chats',
      rows,
      {
        history_id: "'hist_' || (i % 50)",
        chat: "i || '@g.us'",
        last_at: at,
        last_seq: 'i',
        oldest_at: at,
        messages: '1',
        bytes: '300',
        unread: '0',
        archived: '0',
        pinned: '0',
        cleared_at: '0',
        cleared_seq: '0',
      },
    ],
    [
      'history_messages',
      rows,
      {
        history_id: "'hist_' || (i % 50)",
        message_id: message,
        chat: "i || '@g.us'",
        from_me: '0',
        at,
        seq: 'i',
        bytes: '300',
        state: '0',
        sealed: bytes,
        expires_at: `CASE WHEN i % 50 = 0 THEN ${FAR_AHEAD} END`,
      },
    ],
    [
      'history_marks',
      rows,
      {
        history_id: "'hist_' || (i % 50)",
        chat: "i || '@g.us'",
        target_id: message,
        kind: "'read'",
        author: "'999@s.whatsapp.net'",
        from_me: '0',
        at,
      },
    ],
    ['portal_limits', NUMBERS, { name: "'filled-' || i", full_at: `${FAR_AHEAD}` }],
  ];
}
