import { EVENTS, type EventCategory, type EventKind } from '@parley/contract/plain';

/** The deliveries of one account to one URL, which succeed and fail independently of other lanes. */
export interface LaneName {
  readonly accountId: string;
  readonly url: string;
}

export function isLaneName(message: unknown): message is LaneName {
  return typeof message === 'object' && message !== null && 'accountId' in message && 'url' in message;
}

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

/** A delivery in memory; a large one gets its payload only when its turn comes. */
export interface LoadedDelivery {
  readonly delivery: QueuedDelivery;
  /** The chat whose order a first attempt keeps; retries keep no order. */
  readonly chat: string | undefined;
  /** JSON, exactly as it travels. */
  readonly payload: string | undefined;
}

/**
 * The same as it crosses from the reader thread: values in a row, without what its lane says already. On the way names of fields take longer
 * than what they carry.
 */
export type PackedDelivery = [
  seq: number,
  eventSeq: number | null,
  size: number,
  dueAt: number,
  /** As the queue holds it; null when there is an event behind it, which does. */
  payload: string | null,
  webhookId: string,
  eventId: string,
  kind: EventKind,
  tries: number,
  attempts: string,
  chat: string | null,
];

/** A newly queued delivery, as the writer's thread emits it after the commit. */
export interface CommittedDelivery {
  readonly lane: LaneName;
  /** Absent: it has to be read. */
  readonly packed?: PackedDelivery;
}

export function isCommittedDelivery(news: unknown): news is CommittedDelivery {
  return typeof news === 'object' && news !== null && 'lane' in news && isLaneName(news.lane);
}

/** Larger payloads are fetched one by one when they are sent. */
export const LIGHT_BYTES = 64 * 1024;

/** Where those values stand that the reader thread itself looks at. */
export const PLACE = { seq: 0, eventSeq: 1, size: 2, dueAt: 3, payload: 4 } as const;

/** In the order of `PackedDelivery`: SQLite's rows come packed, PostgreSQL's with these names. */
export const DUE_COLUMNS = `seq, event_seq AS "eventSeq", size, due_at AS "dueAt",
  CASE WHEN event_seq IS NULL THEN event END AS payload, webhook_id AS "webhookId", event_id AS "eventId", kind, tries, attempts, chat`;

export type DueRow = Omit<QueuedDelivery, 'category' | 'url'> & {
  readonly payload: string | null;
  readonly chat: string | null;
};

export function packDelivery(row: DueRow): PackedDelivery {
  const { seq, eventSeq, size, dueAt, payload, webhookId, eventId, kind, tries, attempts, chat } = row;
  return [seq, eventSeq, size, dueAt, payload, webhookId, eventId, kind, tries, attempts, chat];
}

export function unpackDelivery({ url }: LaneName, packed: PackedDelivery): LoadedDelivery {
  const [seq, eventSeq, size, dueAt, payload, webhookId, eventId, kind, tries, attempts, chat] = packed;
  const { category } = EVENTS[kind];
  return {
    delivery: { seq, webhookId, eventSeq, eventId, kind, category, url, size, dueAt, tries, attempts },
    chat: chat === null || tries > 0 ? undefined : `${webhookId} ${chat}`,
    payload: payload ?? undefined,
  };
}
