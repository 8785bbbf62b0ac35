import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageIdAt } from '../../packages/gateway/src/kernel/index.ts';

export interface Sizes {
  readonly numbers: number;
  readonly messages: number;
  readonly deliveries: number;
}

const DAY_MS = 86_400_000;
const DAYS = 30;
const STATES = ['delivered', 'read', 'sent', 'failed', 'delivered'];

/** Fills a number's account with data, in the database of a stopped gateway. The number has a webhook. */
export function seed(dataDir: string, phone: string, sizes: Sizes, now: number): void {
  const db = new DatabaseSync(join(dataDir, 'parley.db'));
  try {
    db.exec('BEGIN');
    const { slot_id: first, account_id: account } = one(db, 'SELECT * FROM devices WHERE phone = ?', phone);
    const { id: webhook } = one(db, 'SELECT id FROM webhooks WHERE slot_id = ?', String(first));
    const slots = addNumbers(db, String(first), sizes.numbers);
    addMessages(db, String(account), slots, sizes.messages, now);
    addDeliveries(db, { account: String(account), webhook: String(webhook) }, sizes.deliveries, now);
    addCounts(db, slots, now);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** Whether the gateway has counted all past days, of all numbers. */
export function daysAreCounted(dataDir: string, { numbers }: Sizes): boolean {
  const db = new DatabaseSync(join(dataDir, 'parley.db'), { readOnly: true });
  try {
    const { days } = one(db, 'SELECT count(*) AS days FROM sent_days WHERE is_stale = 0');
    return Number(days) >= numbers * (DAYS - 1);
  } finally {
    db.close();
  }
}

function one(db: DatabaseSync, sql: string, ...values: string[]) {
  const row = db.prepare(sql).get(...values);
  if (!row) throw new Error(`nothing found: ${sql}`);
  return row;
}

/** Copies of one row, so that all columns are covered. */
function addNumbers(db: DatabaseSync, first: string, numbers: number): string[] {
  const columns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('devices')
    .map(({ name }) => String(name));
  const values = columns.map((name) => (name === 'slot_id' || name === 'phone' ? '?' : name));
  const insert = db.prepare(
    `INSERT INTO devices (${columns.join(', ')}) SELECT ${values.join(', ')} FROM devices WHERE slot_id = ?`,
  );
  const slots = [first];
  for (let index = 1; index < numbers; index++) {
    const given = { slot_id: `slot_many_${index}`, phone: String(15_557_000_000 + index) };
    insert.run(
      ...columns.flatMap((name) => (name === 'slot_id' || name === 'phone' ? given[name] : [])),
      first,
    );
    slots.push(given.slot_id);
  }
  return slots;
}

function addMessages(
  db: DatabaseSync,
  account: string,
  slots: readonly string[],
  messages: number,
  now: number,
): void {
  const insert = db.prepare(
    `INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 'text', ?, ?, ?)`,
  );
  for (let index = 0; index < messages; index++) {
    const at = now - Math.floor(((messages - index) / messages) * DAYS * DAY_MS);
    const id = `${messageIdAt(at)}${String(index).padStart(10, '0')}`;
    const slot = slots[index % slots.length] ?? '';
    const to = `${15_556_000_000 + (index % 5_000)}@s.whatsapp.net`;
    const state = STATES[index % STATES.length] ?? 'sent';
    insert.run(id, account, slot, `${slot}@s.whatsapp.net`, `order-${index}`, to, state, at, at);
  }
}

function addDeliveries(
  db: DatabaseSync,
  { account, webhook }: { account: string; webhook: string },
  deliveries: number,
  now: number,
): void {
  const insert = db.prepare(
    `INSERT INTO deliveries (account_id, webhook_id, event_id, kind, category, url, size, status, queued_at, due_at, attempts, event)
     VALUES (?, ?, ?, 'status', 'status', 'https://receiver.example/hook', 200, 'delivered', ?, ?, ?, ?)`,
  );
  for (let index = 0; index < deliveries; index++) {
    const at = now - Math.floor(((deliveries - index) / deliveries) * DAY_MS);
    const attempt = { at_unix: Math.floor(at / 1_000), status_code: 200, duration_ms: 20 };
    const event = {
      kind: 'status',
      message_id: `3EB0${index}`,
      status: 'sent',
      to: '15550002001@s.whatsapp.net',
    };
    insert.run(account, webhook, `status_${index}`, at, at, JSON.stringify([attempt]), JSON.stringify(event));
  }
}

function addCounts(db: DatabaseSync, slots: readonly string[], now: number): void {
  const insert = db.prepare('INSERT INTO health_counts (slot_id, starts_at, received) VALUES (?, ?, ?)');
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  for (const slot of slots) for (let day = 0; day < DAYS; day++) insert.run(slot, today - day * DAY_MS, 3);
}
