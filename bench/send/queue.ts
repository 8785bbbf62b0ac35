import { DatabaseSync } from 'node:sqlite';
import type { SealedBox } from '../../packages/gateway/src/kernel/index.ts';
import { sealSend } from '../../packages/gateway/src/messages/sealed-send.ts';

/** Inserts messages directly: through the API the limits would take a day for them. */
export function fillQueue(
  file: string,
  queue: {
    readonly slotId: string;
    readonly sessionId: string;
    readonly to: string;
    readonly messages: number;
    readonly sealedBox: Pick<SealedBox, 'seal'>;
    readonly now: number;
  },
): void {
  const { slotId, sessionId, to, messages, sealedBox, now } = queue;
  const json = JSON.stringify({
    kind: 'text',
    session_id: sessionId,
    to: `${to}@s.whatsapp.net`,
    text: 'queued',
  });
  const db = new DatabaseSync(file, { timeout: 10_000 });
  const message = db.prepare(
    `INSERT OR REPLACE INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
     VALUES (?, 'acc_queue', ?, ?, ?, ?, 'text', 'accepted', ?, ?)`,
  );
  const outbox = db.prepare(
    'INSERT INTO outbox (slot_id, seq, message_id, sealed, attempts, due_at) VALUES (?, ?, ?, ?, 0, ?)',
  );
  db.exec('BEGIN IMMEDIATE');
  for (let n = 1; n <= messages; n++) {
    const id = `3EB0QUEUE${String(n).padStart(13, '0')}`;
    message.run(id, slotId, sessionId, `queue-${n}`, to, now, now);
    // After the number's own sends.
    outbox.run(slotId, 1_000 + n, id, sealSend(sealedBox, slotId, id, json), now);
  }
  db.exec('COMMIT');
  db.close();
}

export function emptyQueue(file: string, slotId: string): void {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  db.prepare('DELETE FROM outbox WHERE slot_id = ?').run(slotId);
  db.close();
}
