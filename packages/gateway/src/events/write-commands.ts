import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY } from '@parley/contract/plain';
import { type BoxOpener, UnopenableBox } from '#kernel';
import type { Command, PgSession, PgStatement, SqliteSession } from '#platform/store';
import { defineBatch } from '#platform/store/batch';
import { openPayload } from './payload.ts';
import type { PreparedEvent } from './plain-event.ts';
import {
  type CommittedDelivery,
  DUE_COLUMNS,
  type DueRow,
  type LaneName,
  LIGHT_BYTES,
  PLACE,
  packDelivery,
} from './queued-delivery.ts';

export { type PreparedEvent, plainEvent } from './plain-event.ts';

/** A prepared event that has just got its place in the log. */
export type LoggedEvent = PreparedEvent & { readonly seq: number };

/**
 * Writes events to the log and queues their deliveries. Runs inside the command of the cause, so that all of it commits
 * together; the caller calls `announce` after the commit. Returns the events that are new.
 */
export const writeEvents = {
  sqlite(db: SqliteSession): (events: readonly PreparedEvent[]) => readonly LoggedEvent[] {
    const insert = db.prepare<{ seq: number }>(
      `INSERT INTO events (tx, ${written.columns}) VALUES (0, ${written.placeholders})
       ON CONFLICT (slot_id, key) DO NOTHING RETURNING seq`,
    );
    const queue = queueDeliveries.sqlite(db);
    return (events) => {
      const logged: LoggedEvent[] = [];
      for (const event of events) {
        const row = insert.get(...written.values(event));
        if (row) logged.push({ ...event, seq: row.seq });
      }
      queue(logged);
      return logged;
    };
  },

  async postgres(client: PgSession, events: readonly PreparedEvent[]): Promise<readonly LoggedEvent[]> {
    if (events.length === 0) return [];
    const { rows } = await client.query<{ seq: number; slot_id: string; key: string }>(
      insertEvents,
      written.arrays(events),
    );
    const byKey = new Map(events.map((event) => [`${event.slotId}\n${event.key}`, event]));
    const logged = rows.flatMap(({ seq, slot_id, key }) => {
      const event = byKey.get(`${slot_id}\n${key}`);
      return event ? [{ ...event, seq }] : [];
    });
    await queueDeliveries.postgres(client, logged);
    return logged;
  },
};

const written = defineBatch<PreparedEvent>(
  {
    accountId: 'text',
    slotId: 'text',
    key: 'text',
    kind: 'text',
    extension: 'text',
    at: 'bigint',
    expiresAt: 'bigint',
    size: 'bigint',
    body: 'text',
    sealed: 'bytea',
  },
  { event_id: ['text', ({ id }) => id] },
);

/** In one order for everybody: two batches that log the same happening must not wait for each other. */
const insertEvents: PgStatement = {
  name: 'events.write',
  text: `INSERT INTO events (tx, ${written.columns})
         SELECT pg_current_xact_id()::text::bigint, ${written.columns} FROM ${written.relation('e')}
         ORDER BY slot_id, place
         ON CONFLICT (slot_id, key) DO NOTHING RETURNING seq, slot_id, key`,
};

/** SQL: the webhook `w` asks for the event `e`. */
const IS_ASKED_FOR = `(e.extension IS NULL OR ',' || w.extensions || ',' LIKE '%,' || e.extension || ',%')`;

/** SQL: how a delivery to the webhook `w` begins. */
const STATUS = `CASE WHEN w.paused_at IS NULL THEN 'pending' ELSE 'paused' END`;

/**
 * Queues one delivery per event for each active webhook of the number that has a URL for its category and asks for it. Runs
 * inside the command that logs the events, so that no event lacks its delivery. The embedded database emits each, so that the dispatcher need not poll.
 */
const queueDeliveries = {
  sqlite(db: SqliteSession): (events: readonly LoggedEvent[]) => void {
    const queueFor = (table: string) =>
      db.prepare<NewDelivery>(`INSERT INTO deliveries (account_id, webhook_id, event_seq, event_id, kind, category, url, size, status, queued_at, due_at, event, chat)
       SELECT w.account_id, w.id, e.seq, e.id, e.kind, e.category, ${urlOf('e.category')}, e.size, ${STATUS}, e.at, e.at, e.body, e.chat
       FROM (SELECT ${queued.namedPlaceholders}) e
       JOIN ${table} w ON w.slot_id = e.slot_id WHERE w.active = 1 AND ${urlOf('e.category')} <> '' AND ${IS_ASKED_FOR}
       RETURNING account_id AS "accountId", url, status, ${DUE_COLUMNS}`);
    const inserts = ['webhooks', 'formatted_webhooks'].map(queueFor);
    return (events) => {
      for (const event of events) {
        const values = queued.values(event);
        for (const insert of inserts) {
          for (const row of insert.all(...values))
            if (row.status === 'pending') db.notify(committedOf(row, event, db.boxes));
        }
      }
    };
  },

  async postgres(client: PgSession, events: readonly LoggedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await client.query(insertDeliveries, queued.arrays(events));
  },
};

const queued = defineBatch<LoggedEvent>(
  {
    slotId: 'text',
    id: 'text',
    kind: 'text',
    category: 'text',
    size: 'bigint',
    at: 'bigint',
    body: 'text',
    chat: 'text',
    extension: 'text',
  },
  { seq: ['bigint', payloadIn] },
);

type NewDelivery = LaneName & DueRow & { readonly status: 'pending' | 'paused' };

/** With its payload, as a reading would bring it; what is large or cannot be opened is left to that. */
function committedOf(
  row: NewDelivery,
  { slotId, key, seq, sealed }: LoggedEvent,
  boxes: BoxOpener,
): CommittedDelivery {
  const lane = { accountId: row.accountId, url: row.url };
  if (row.size > LIGHT_BYTES) return { lane };
  try {
    const packed = packDelivery(row);
    packed[PLACE.payload] ??= openPayload(boxes, { seq, slot_id: slotId, key, body: null, sealed });
    return { lane, packed };
  } catch (error) {
    if (!(error instanceof UnopenableBox)) throw error;
    return { lane };
  }
}

/** Columns that decide whether a webhook receives an event. */
const LISTENING =
  'id, account_id, slot_id, active, paused_at, extensions, messages_url, status_url, connection_url, events_url';

const insertDeliveries: PgStatement = {
  name: 'webhooks.queue',
  text: `INSERT INTO deliveries (account_id, webhook_id, event_seq, event_id, kind, category, url, size, status, queued_at, due_at, event, chat)
         SELECT w.account_id, w.id, e.seq, e.id, e.kind, e.category, ${urlOf('e.category')}, e.size, ${STATUS}, e.at, e.at, e.body, e.chat
         FROM ${queued.relation('e')}
         JOIN (SELECT ${LISTENING} FROM webhooks UNION ALL SELECT ${LISTENING} FROM formatted_webhooks) w ON w.slot_id = e.slot_id
         WHERE w.active = 1 AND ${urlOf('e.category')} <> '' AND ${IS_ASKED_FOR} ORDER BY e.place`,
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

/** Events that come with no other write. */
export const logEvents: Command<readonly PreparedEvent[], null> = {
  name: 'events.log',
  sqlite(db) {
    const write = writeEvents.sqlite(db);
    return (items) =>
      items.map((events) => {
        write(events);
        return null;
      });
  },
  async postgres(client, items) {
    await writeEvents.postgres(client, items.flat());
    return items.map(() => null);
  },
};

export const commands = [logEvents];
