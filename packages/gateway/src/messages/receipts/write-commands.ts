import type { MessageState } from '@parley/contract';
import type { Command, MessageRow, PgSession, PgStatement } from '#platform/store';
import { defineBatch, sendBatch } from '#platform/store/batch';
import { dayOf } from '../usage/days.ts';

/** Receipt of a message: delivered, read or played. */
export interface ReceiptNote {
  readonly slotId: string;
  readonly messageId: string;
  readonly status: 'delivered' | 'read' | 'played';
  readonly at: number;
}

/** With the time of the record: the network may hold receipts for days. */
type Note = ReceiptNote & { readonly now: number };
type FoundMessage = Pick<MessageRow, 'id' | 'slot_id' | 'request_id' | 'status' | 'accepted_at'>;

/** Whether it changes the stored counts of a past day. */
function outdatesItsDay({ status, accepted_at }: Pick<FoundMessage, 'status' | 'accepted_at'>, now: number) {
  return status === 'sent' && dayOf(accepted_at) < dayOf(now);
}

/** Stored state of the message that a receipt names. Null: it was not sent through the gateway. */
type Noted = { readonly requestId: string; readonly before: MessageState } | null;

const RANK =
  "CASE status WHEN 'sent' THEN 1 WHEN 'delivered' THEN 2 WHEN 'read' THEN 3 WHEN 'played' THEN 4 ELSE 5 END";
const rankOf = { delivered: 2, read: 3, played: 4 } as const;

/** Advances the state of messages; never backwards, and only of those published as sent. */
export const noteReceipt: Command<Note, Noted> = {
  name: 'messages.receipt',
  sqlite(db) {
    const find = db.prepare<Pick<FoundMessage, 'request_id' | 'status' | 'accepted_at'>>(
      'SELECT request_id, status, accepted_at FROM messages WHERE id = ? AND slot_id = ?',
    );
    const advance = db.prepare(`UPDATE messages SET status = ?, updated_at = ? WHERE id = ? AND ${RANK} < ?`);
    const outdate = db.prepare('UPDATE sent_days SET is_stale = 1 WHERE slot_id = ? AND day = ?');
    return (items) =>
      items.map(({ slotId, messageId, status, at, now }) => {
        const found = find.get(messageId, slotId);
        if (!found) return null;
        advance.run(status, at, messageId, rankOf[status]);
        if (outdatesItsDay(found, now)) outdate.run(slotId, dayOf(found.accepted_at));
        return { requestId: found.request_id, before: found.status };
      });
  },
  async postgres(client, items) {
    const found = await client.query<FoundMessage>(STATEMENTS.find, [
      items.map(({ messageId }) => messageId),
    ]);
    for (const status of ['delivered', 'read', 'played'] as const) {
      const those = items.filter((item) => item.status === status);
      sendBatch(client, STATEMENTS.advance, advances, those, [status, rankOf[status]]);
    }
    outdateDays(client, found.rows, items);
    const known = new Map(
      found.rows.map((row) => [
        `${row.slot_id} ${row.id}`,
        { requestId: row.request_id, before: row.status },
      ]),
    );
    return items.map(({ slotId, messageId }) => known.get(`${slotId} ${messageId}`) ?? null);
  },
};

function outdateDays(client: PgSession, found: readonly FoundMessage[], items: readonly Note[]): void {
  const now = Math.max(...items.map((item) => item.now));
  const days = found
    .filter((row) => outdatesItsDay(row, now))
    .map(({ slot_id, accepted_at }) => ({ slotId: slot_id, day: dayOf(accepted_at) }));
  sendBatch(client, STATEMENTS.outdate, outdated, days);
}

const advances = defineBatch<Note>({ messageId: 'text', slotId: 'text', at: 'bigint' });
const outdated = defineBatch<{ slotId: string; day: number }>({ slotId: 'text', day: 'bigint' });

const STATEMENTS = {
  /** Locks in the one order of all commands that settle or advance messages. */
  find: {
    name: 'messages.receipt.find',
    text: 'SELECT id, slot_id, request_id, status, accepted_at FROM messages WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE',
  },
  advance: {
    name: 'messages.receipt.advance',
    text: `UPDATE messages m SET status = $1::text, updated_at = d.at
           FROM ${advances.relation('d', 2)}
           WHERE m.id = d.message_id AND m.slot_id = d.slot_id
             AND ${RANK.replace('CASE status', 'CASE m.status')} < $2::bigint`,
  },
  outdate: {
    name: 'messages.receipt.outdate',
    // Written even for days without a row: it conflicts with the transaction that counts that day at this moment.
    text: `INSERT INTO sent_days (slot_id, day, accepted, sent, delivered, failed, is_stale)
           SELECT DISTINCT slot_id, day, 0, 0, 0, 0, 1 FROM ${outdated.relation('d')} ORDER BY slot_id, day
           ON CONFLICT (slot_id, day) DO UPDATE SET is_stale = 1`,
  },
} as const satisfies Record<string, PgStatement>;
