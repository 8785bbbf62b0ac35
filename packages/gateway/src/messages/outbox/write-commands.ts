import type { FailureReason } from '@parley/contract';
import { type HistoryEntry, writeHistory } from '#conversations/write-commands';
import { type PreparedEvent, writeEvents } from '#events/write-commands';
import { noteSettled, type Settled } from '#health/write-commands';
import type { Command, PgSession, PgStatement } from '#platform/store';
import { defineBatch } from '#platform/store/batch';

/** A message that leaves the outbox for good. */
export interface Settlement {
  readonly slotId: string;
  readonly seq: number;
  readonly messageId: string;
  /**
   * Fence of the host that settles it; null when the number has no link and no process can host it; `proven` when a
   * receipt of the recipient's phone proves the outcome, whichever host the number has.
   */
  readonly fence: number | null | 'proven';
  readonly status: 'sent' | 'failed';
  readonly reason: FailureReason | null;
  readonly at: number;
  /** The `status` event of the outcome, and other events to publish with it. */
  readonly events: readonly PreparedEvent[];
  /** History entries, if the number keeps its conversations. */
  readonly kept: readonly HistoryEntry[];
  readonly accountId: string;
  readonly to: string;
  readonly sessionId: string;
  /** The network's own code of its refusal. */
  readonly code: number | null;
}

function forHealth({ slotId, to, sessionId, at, status, code, accountId }: Settlement): Settled {
  return { accountId, slotId, sessionId, to, at, isSent: status === 'sent', code };
}

/**
 * Removes a message from the outbox, records its outcome and queues the event, all or nothing. False: another host
 * has settled it.
 */
export const settleMessage: Command<Settlement, boolean> = {
  name: 'messages.settle',
  sqlite(db) {
    const remove = db.prepare(
      `DELETE FROM outbox WHERE slot_id = ? AND seq = ? AND message_id = ? AND CASE
         WHEN ? THEN TRUE
         WHEN ? IS NULL THEN NOT EXISTS (SELECT 1 FROM sessions s WHERE s.slot_id = outbox.slot_id AND s.status <> 'logged_out')
         ELSE EXISTS (SELECT 1 FROM sessions s WHERE s.slot_id = outbox.slot_id AND s.fence = ?) END`,
    );
    const note = db.prepare(
      "UPDATE messages SET status = ?, reason = ?, updated_at = ? WHERE id = ? AND status = 'accepted'",
    );
    const write = writeEvents.sqlite(db);
    const keep = writeHistory.sqlite(db);
    const noteHealth = noteSettled.sqlite(db);
    return (items) =>
      items.map((item) => {
        const { slotId, seq, messageId, fence, status, reason, at, events, kept } = item;
        const [proven, host] = fence === 'proven' ? [1, null] : [0, fence];
        if (remove.run(slotId, seq, messageId, proven, host, host).changes === 0) return false;
        note.run(status, reason, at, messageId);
        write(events);
        keep(kept);
        noteHealth([forHealth(item)]);
        return true;
      });
  },
  async postgres(client, items) {
    await holdHosts(client, items);
    const { rows } = await client.query<{ place: number }>(STATEMENTS.remove, removals.arrays(items));
    const settled = new Set(rows.map(({ place }) => place - 1));
    const ours = items.filter((_, index) => settled.has(index));
    if (ours.length === 0) return items.map(() => false);
    client.send(STATEMENTS.note, ends.arrays(ours));
    await writeEvents.postgres(
      client,
      ours.flatMap(({ events }) => events),
    );
    await writeHistory.postgres(
      client,
      ours.flatMap(({ kept }) => kept),
    );
    await noteSettled.postgres(client, ours.map(forHealth));
    return items.map((_, index) => settled.has(index));
  },
};

/** A retry that is due later. */
export interface RetryDelay {
  readonly slotId: string;
  readonly seq: number;
  readonly fence: number;
  readonly attempts: number;
  readonly dueAt: number;
  /** Until then the number sends nothing, rather than nothing to this chat. */
  readonly holdsNumber: boolean;
}

export const postponeMessage: Command<RetryDelay, boolean> = {
  name: 'messages.postpone',
  sqlite(db) {
    const update = db.prepare(
      `UPDATE outbox SET attempts = ?, due_at = ?, holds_number = ? WHERE slot_id = ? AND seq = ?
       AND EXISTS (SELECT 1 FROM sessions s WHERE s.slot_id = outbox.slot_id AND s.fence = ?)`,
    );
    return (items) =>
      items.map(
        ({ slotId, seq, fence, attempts, dueAt, holdsNumber }) =>
          update.run(attempts, dueAt, holdsNumber ? 1 : 0, slotId, seq, fence).changes !== 0,
      );
  },
  async postgres(client, items) {
    await holdHosts(client, items);
    const { rows } = await client.query<{ place: number }>(STATEMENTS.postpone, postponements.arrays(items));
    const done = new Set(rows.map(({ place }) => place - 1));
    return items.map((_, index) => done.has(index));
  },
};

/** No session changes its host until the batch is over, so a fence that is checked is still valid at the write. */
async function holdHosts(client: PgSession, items: readonly { readonly slotId: string }[]): Promise<void> {
  await client.look(STATEMENTS.hold, [items.map(({ slotId }) => slotId)]);
}

const removals = defineBatch<Settlement>(
  { slotId: 'text', seq: 'bigint', messageId: 'text' },
  {
    fence: ['bigint', ({ fence }) => (fence === 'proven' ? null : fence)],
    is_proven: ['bool', ({ fence }) => fence === 'proven'],
  },
);
const ends = defineBatch<Settlement>({ messageId: 'text', status: 'text', reason: 'text', at: 'bigint' });
const postponements = defineBatch<RetryDelay>(
  { slotId: 'text', seq: 'bigint', fence: 'bigint', attempts: 'bigint', dueAt: 'bigint' },
  { holds_number: ['bigint', ({ holdsNumber }) => (holdsNumber ? 1 : 0)] },
);

const STATEMENTS = {
  hold: {
    name: 'messages.hold_hosts',
    text: 'SELECT slot_id FROM sessions WHERE slot_id = ANY($1::text[]) ORDER BY slot_id FOR SHARE',
  },
  remove: {
    name: 'messages.settle.remove',
    text: `DELETE FROM outbox o
           USING ${removals.relation('d')}
           WHERE o.slot_id = d.slot_id AND o.seq = d.seq AND o.message_id = d.message_id AND CASE
             WHEN d.is_proven THEN TRUE
             WHEN d.fence IS NULL THEN NOT EXISTS (SELECT 1 FROM sessions s WHERE s.slot_id = d.slot_id AND s.status <> 'logged_out')
             ELSE EXISTS (SELECT 1 FROM sessions s WHERE s.slot_id = d.slot_id AND s.fence = d.fence) END
           RETURNING d.place`,
  },
  note: {
    name: 'messages.settle.note',
    // Locked in one order first: receipts for the same messages may be in another batch.
    text: `WITH locked AS (SELECT id FROM messages WHERE id = ANY($1::text[]) AND status = 'accepted' ORDER BY id FOR UPDATE)
           UPDATE messages m SET status = d.status, reason = d.reason, updated_at = d.at
           FROM ${ends.relation('d')}
           JOIN locked ON locked.id = d.message_id WHERE m.id = d.message_id`,
  },
  postpone: {
    name: 'messages.postpone',
    text: `UPDATE outbox o SET attempts = d.attempts, due_at = d.due_at, holds_number = d.holds_number
           FROM ${postponements.relation('d')}
           JOIN sessions s ON s.slot_id = d.slot_id AND s.fence = d.fence
           WHERE o.slot_id = d.slot_id AND o.seq = d.seq RETURNING d.place`,
  },
} as const satisfies Record<string, PgStatement>;
