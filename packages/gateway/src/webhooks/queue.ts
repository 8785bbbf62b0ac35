import {
  EVENT_CATEGORIES,
  type EventCategory,
  type EventKind,
  URL_FIELD_OF_CATEGORY,
} from '@parley/contract/plain';
import type { PgSession, PgStatement, SqliteSession } from '#store';

/** An event that has just been logged, as far as its delivery is concerned. */
export interface LoggedEvent {
  readonly seq: number;
  /** `X-Message-ID` */
  readonly id: string;
  readonly accountId: string;
  readonly slotId: string;
  readonly kind: EventKind;
  readonly category: EventCategory;
  /** What it has to keep its order with; empty: the number as a whole. */
  readonly chat: string;
  /** Bytes of the payload. */
  readonly size: number;
  /** JSON of the payload with its content redacted. */
  readonly body: string;
  /** The full payload; null when nothing had to be redacted. */
  readonly sealed: Uint8Array | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Queues one delivery per event, where the number has an active webhook with a URL for its category. Runs inside the command that
 * logs the events, so that an event is never there without its delivery.
 */
export const queueDeliveries = {
  sqlite(db: SqliteSession): (events: readonly LoggedEvent[]) => void {
    const insert = db.prepare(
      `INSERT INTO deliveries (account_id, webhook_id, event_seq, event_id, kind, category, url, size, status, queued_at, due_at, event, chat)
       SELECT w.account_id, w.id, e.seq, e.id, e.kind, e.category, ${urlOf('e.category')}, e.size, 'pending', e.at, e.at, e.body, e.chat
       FROM (SELECT ? AS slot_id, ? AS seq, ? AS id, ? AS kind, ? AS category, ? AS size, ? AS at, ? AS body, ? AS chat) e
       JOIN webhooks w ON w.slot_id = e.slot_id WHERE w.active = 1 AND ${urlOf('e.category')} <> ''`,
    );
    return (events) => {
      for (const event of events) {
        const { slotId, id, kind, category, size, at, body, chat } = event;
        insert.run(slotId, payloadIn(event), id, kind, category, size, at, body, chat);
      }
    };
  },

  async postgres(client: PgSession, events: readonly LoggedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await client.query(insertMany, [
      events.map(({ slotId }) => slotId),
      events.map(payloadIn),
      events.map(({ id }) => id),
      events.map(({ kind }) => kind),
      events.map(({ category }) => category),
      events.map(({ size }) => size),
      events.map(({ at }) => at),
      events.map(({ body }) => body),
      events.map(({ chat }) => chat),
    ]);
  },
};

const insertMany: PgStatement = {
  name: 'webhooks.queue',
  text: `INSERT INTO deliveries (account_id, webhook_id, event_seq, event_id, kind, category, url, size, status, queued_at, due_at, event, chat)
         SELECT w.account_id, w.id, e.seq, e.id, e.kind, e.category, ${urlOf('e.category')}, e.size, 'pending', e.at, e.at, e.body, e.chat
         FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::text[])
           WITH ORDINALITY AS e(slot_id, seq, id, kind, category, size, at, body, chat, place)
         JOIN webhooks w ON w.slot_id = e.slot_id
         WHERE w.active = 1 AND ${urlOf('e.category')} <> '' ORDER BY e.place`,
};

/** The event whose sealed payload must be fetched for the delivery; null when the redacted copy is all of it. */
function payloadIn({ seq, sealed }: LoggedEvent): number | null {
  return sealed && seq;
}

/** SQL for the URL that a webhook `w` has for a category. */
function urlOf(category: string): string {
  const cases = EVENT_CATEGORIES.map((each) => `WHEN '${each}' THEN w.${URL_FIELD_OF_CATEGORY[each]}`);
  return `CASE ${category} ${cases.join(' ')} END`;
}
