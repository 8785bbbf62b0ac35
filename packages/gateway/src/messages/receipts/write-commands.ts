import type { MessageState } from '@parley/contract';
import type { Command, PgStatement } from '#store';

/** That a message of a number was delivered, read or played. */
export interface ReceiptNote {
  readonly slotId: string;
  readonly messageId: string;
  readonly status: 'delivered' | 'read' | 'played';
  readonly at: number;
}

/** What is known of a message that a receipt names. Null: it was not sent through the gateway. */
export type Noted = { readonly requestId: string; readonly before: MessageState } | null;

const RANK =
  "CASE status WHEN 'sent' THEN 1 WHEN 'delivered' THEN 2 WHEN 'read' THEN 3 WHEN 'played' THEN 4 ELSE 5 END";
const rankOf = { delivered: 2, read: 3, played: 4 } as const;

/** Notes how far messages came; never backwards, and only for those that were told as sent. */
export const noteReceipt: Command<ReceiptNote, Noted> = {
  name: 'messages.receipt',
  sqlite(db) {
    const find = db.prepare<{ request_id: string; status: MessageState }>(
      'SELECT request_id, status FROM messages WHERE id = ? AND slot_id = ?',
    );
    const advance = db.prepare(
      `UPDATE messages SET status = ?, updated_at = ? WHERE id = ? AND slot_id = ? AND ${RANK} < ?`,
    );
    return (items) =>
      items.map(({ slotId, messageId, status, at }) => {
        const found = find.get(messageId, slotId);
        if (!found) return null;
        advance.run(status, at, messageId, slotId, rankOf[status]);
        return { requestId: found.request_id, before: found.status };
      });
  },
  async postgres(client, items) {
    const found = await client.query<{
      id: string;
      slot_id: string;
      request_id: string;
      status: MessageState;
    }>(STATEMENTS.find, [items.map(({ messageId }) => messageId)]);
    for (const status of ['delivered', 'read', 'played'] as const) {
      const those = items.filter((item) => item.status === status);
      if (those.length === 0) continue;
      await client.query(STATEMENTS.advance, [
        those.map(({ messageId }) => messageId),
        those.map(({ slotId }) => slotId),
        those.map(({ at }) => at),
        status,
        rankOf[status],
      ]);
    }
    const known = new Map(
      found.rows.map((row) => [
        `${row.slot_id} ${row.id}`,
        { requestId: row.request_id, before: row.status },
      ]),
    );
    return items.map(({ slotId, messageId }) => known.get(`${slotId} ${messageId}`) ?? null);
  },
};

const STATEMENTS = {
  /** Locks in one order for everybody who ends or follows messages. */
  find: {
    name: 'messages.receipt.find',
    text: 'SELECT id, slot_id, request_id, status FROM messages WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE',
  },
  advance: {
    name: 'messages.receipt.advance',
    text: `UPDATE messages m SET status = $4::text, updated_at = d.at
           FROM unnest($1::text[], $2::text[], $3::bigint[]) AS d(id, slot_id, at)
           WHERE m.id = d.id AND m.slot_id = d.slot_id AND ${RANK.replace('CASE status', 'CASE m.status')} < $5::bigint`,
  },
} as const satisfies Record<string, PgStatement>;
