import { EVENTS, type EventCategory, type EventKind } from '@parley/contract/plain';
import type { PgSession, PgStatement, SqliteReadings } from '#store';
import type { LaneName } from './topics.ts';

/** A delivery as it is taken out of the queue. */
export interface QueuedDelivery {
  readonly seq: number;
  readonly webhookId: string;
  /** Null: the queue itself holds what is sent. */
  readonly eventSeq: number | null;
  /** `X-Message-ID` */
  readonly eventId: string;
  readonly kind: EventKind;
  readonly category: EventCategory;
  readonly url: string;
  /** Bytes of its payload. */
  readonly size: number;
  readonly dueAt: number;
  readonly tries: number;
  /** JSON of those before. */
  readonly attempts: string;
}

/** A delivery in memory; a heavy one gets its payload only when its turn comes. */
export interface Held {
  readonly delivery: QueuedDelivery;
  /** Whose order it keeps: a first attempt that of its number's chat, any further one that of nobody. */
  readonly chat: string | undefined;
  /** JSON, exactly as it travels. */
  readonly payload: string | undefined;
}

/** The same by the place of its fields, and without what its lane says already: as it crosses from one thread to another. */
export type DueRow = [
  seq: number,
  webhookId: string,
  eventSeq: number | null,
  eventId: string,
  kind: EventKind,
  size: number,
  dueAt: number,
  tries: number,
  attempts: string,
  chat: string | null,
  /** As the queue holds it; null when there is an event behind it, which does. */
  payload: string | null,
];

/** The place of the payload. */
export const PAYLOAD = 10;

/** A place in the order in which the deliveries of a lane are due. */
export interface LanePosition {
  readonly dueAt: number;
  readonly seq: number;
}

/** What of a lane is due by now and comes behind a place, the oldest first. */
export interface DueRange {
  readonly lane: LaneName;
  readonly after: LanePosition;
  readonly now: number;
  readonly limit: number;
}

export function held({ url }: LaneName, row: DueRow): Held {
  const [seq, webhookId, eventSeq, eventId, kind, size, dueAt, tries, attempts, chat, payload] = row;
  const { category } = EVENTS[kind];
  return {
    delivery: { seq, webhookId, eventSeq, eventId, kind, category, url, size, dueAt, tries, attempts },
    chat: chat === null || tries > 0 ? undefined : `${webhookId} ${chat}`,
    payload: payload ?? undefined,
  };
}

/** Reads part of a queue, inside of a reading that fills in the payloads. */
export const dueDeliveries = {
  sqlite(db: SqliteReadings): (range: DueRange) => DueRow[] {
    const due = db.prepare<DueRow>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE status = 'pending' AND account_id = ? AND url = ? AND due_at <= ? AND (due_at, seq) > (?, ?)
       ORDER BY due_at, seq LIMIT ?`,
    );
    return ({ lane: { accountId, url }, after, now, limit }) =>
      due.all(accountId, url, now, after.dueAt, after.seq, limit);
  },

  async postgres(client: Pick<PgSession, 'look'>, range: DueRange): Promise<DueRow[]> {
    const { lane, after, now, limit } = range;
    const values = [lane.accountId, lane.url, now, after.dueAt, after.seq, limit];
    const { rows } = await client.look<Record<string, never>>(selectDue, values);
    // The server answers with the columns in the order in which they were asked for.
    return rows.map((row) => Object.values(row) as unknown as DueRow);
  },
};

const COLUMNS = `seq, webhook_id, event_seq, event_id, kind, size, due_at, tries, attempts, chat,
  CASE WHEN event_seq IS NULL THEN event END AS payload`;

const selectDue: PgStatement = {
  name: 'webhooks.due',
  text: `SELECT ${COLUMNS} FROM deliveries
         WHERE status = 'pending' AND account_id = $1 AND url = $2 AND due_at <= $3 AND (due_at, seq) > ($4, $5)
         ORDER BY due_at, seq LIMIT $6`,
};
