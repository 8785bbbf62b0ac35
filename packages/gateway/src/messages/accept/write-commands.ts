import type { Command, PgSession } from '#store';
import {
  type AcceptItem,
  type AcceptResult,
  acceptBatch,
  type SpendItem,
  type SpendResult,
  spend,
} from './batch.ts';
import { createLedger } from './ledger.ts';
import { sendPacking } from './packing.ts';
import { loadLookups, writeBatch } from './postgres-ledger.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

/** Idempotency, limits, quota and the rows of a send, in one go: all of it is committed, or nothing is. */
export const acceptMessage: Command<AcceptItem, AcceptResult> = {
  name: 'messages.accept',
  locks: accountOf,
  packing: sendPacking,
  sqlite(db) {
    const { lookups, write } = openSqliteLedger(db);
    const message = db.prepare(
      `INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'accepted', ?, ?)`,
    );
    const outbox = db.prepare(
      'INSERT INTO outbox (slot_id, seq, message_id, sealed, attempts, due_at) VALUES (?, ?, ?, ?, 0, ?)',
    );
    const pin = db.prepare('INSERT INTO media_pins (media_id, slot_id, seq) VALUES (?, ?, ?)');
    return (items) => {
      const ledger = createLedger(lookups);
      const { results, accepted } = acceptBatch(items, ledger);
      for (const { item, seq } of accepted) {
        const { messageId, accountId, slotId, sessionId, idempotencyKey, to, type, sealed, now } = item;
        message.run(messageId, accountId, slotId, sessionId, idempotencyKey, to, type, now, now);
        outbox.run(slotId, seq, messageId, sealed, now);
        if (item.mediaId !== null) pin.run(item.mediaId, slotId, seq);
      }
      write(ledger);
      return results;
    };
  },
  async postgres(client, items) {
    const ledger = createLedger(await loadLookups(client, items));
    const { results, accepted } = acceptBatch(items, ledger);
    writeBatch(client, ledger, accepted);
    return results;
  },
};

/** Draws on a number's budget for a message that takes another way, such as a post in a channel. */
export const spendBudget: Command<SpendItem, SpendResult> = {
  name: 'messages.spend',
  locks: accountOf,
  sqlite(db) {
    const { lookups, write } = openSqliteLedger(db);
    return (items) => {
      const ledger = createLedger(lookups);
      const results = items.map((item) => spend(item, ledger));
      write(ledger);
      return results;
    };
  },
  async postgres(client: PgSession, items) {
    const ledger = createLedger(await loadLookups(client, items));
    const results = items.map((item) => spend(item, ledger));
    writeBatch(client, ledger);
    return results;
  },
};

function accountOf({ accountId }: SpendItem): string {
  return accountId;
}
