import { type EventKind, EXTENSION_NAMES, type Extension } from '@parley/contract';
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, type SealedBox, UnopenableBox } from '#kernel';
import type { Dialect, Store } from '#platform/store';
import { openPayload, type StoredPayload } from './payload.ts';
import type { LaneName } from './queued-delivery.ts';

/** A place in an account's log: what comes behind it has not been read yet. */
export interface Position {
  readonly tx: number;
  readonly seq: number;
}

export interface LogFilter {
  readonly accountId: string;
  readonly slotId: string | undefined;
  readonly kind: EventKind | undefined;
  /** What is wanted beyond the specification. */
  readonly extensions: readonly Extension[];
}

export interface LogEntry extends Position {
  readonly event_id: string;
  readonly slot_id: string;
  readonly kind: EventKind;
  readonly extension: Extension | null;
  readonly size: number;
}

/**
 * Entries behind a position, oldest first, without their payloads. In PostgreSQL an entry is shown once every transaction that began
 * before its own is over: else a slower one could put its entries before a place that a reader has passed already.
 */
export function entriesAfter(
  store: Pick<Store, 'read' | 'dialect'>,
  filter: LogFilter,
  { tx, seq }: Position,
  limit: number,
): Promise<LogEntry[]> {
  return filtered(store, filter)
    .select(['tx', 'seq', 'event_id', 'slot_id', 'kind', 'extension', 'size'])
    .where(sql<boolean>`(tx, seq) > (${tx}, ${seq})`)
    .orderBy('tx')
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Entries before a position, newest first, with their redacted payloads. */
export function entriesBefore(
  store: Pick<Store, 'read' | 'dialect'>,
  filter: LogFilter,
  before: Position | undefined,
  limit: number,
) {
  const query = filtered(store, filter)
    .select(['tx', 'seq', 'event_id', 'slot_id', 'kind', 'at', 'body'])
    .orderBy('tx', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit);
  return (before ? query.where(sql<boolean>`(tx, seq) < (${before.tx}, ${before.seq})`) : query).execute();
}

/** The end of an account's log as it is now. */
export async function endOfLog(store: Pick<Store, 'read' | 'dialect'>, accountId: string): Promise<Position> {
  const last = await visible(store)
    .select(['tx', 'seq'])
    .where('account_id', '=', accountId)
    .orderBy('tx', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? { tx: 0, seq: 0 };
}

/** Whether the number has a webhook that asks for this. */
export async function isAskedFor(
  store: Pick<Store, 'read'>,
  slotId: string,
  extension: Extension,
): Promise<boolean> {
  const asking = (table: 'webhooks' | 'formatted_webhooks') =>
    store.read.selectFrom(table).select('extensions').where('slot_id', '=', slotId).where('active', '=', 1);
  const webhooks = await asking('webhooks').unionAll(asking('formatted_webhooks')).execute();
  return webhooks.some(({ extensions }) => extensions.split(',').includes(extension));
}

/** SQL: how many of the active webhooks of the number that a query is about ask for this. */
export function countOfAsking(slot: 'outbox.slot_id', extension: Extension): RawBuilder<number> {
  const asking = (table: string) => sql<number>`(SELECT count(*) FROM ${sql.table(table)} w
    WHERE w.slot_id = ${sql.ref(slot)} AND w.active = 1 AND ',' || w.extensions || ',' LIKE ${`%,${extension},%`})`;
  return sql<number>`${asking('webhooks')} + ${asking('formatted_webhooks')}`;
}

function filtered(
  store: Pick<Store, 'read' | 'dialect'>,
  { accountId, slotId, kind, extensions }: LogFilter,
) {
  let query = visible(store).where('account_id', '=', accountId);
  if (slotId !== undefined) query = query.where('slot_id', '=', slotId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (extensions.length === EXTENSION_NAMES.length) return query;
  query = query.where((e) =>
    extensions.length === 0
      ? e('extension', 'is', null)
      : e.or([e('extension', 'is', null), e('extension', 'in', extensions)]),
  );
  return query;
}

/** In PostgreSQL see `entriesAfter`. */
export function visible({ read, dialect }: Pick<Store, 'read' | 'dialect'>) {
  const all = read.selectFrom('events');
  return dialect === 'sqlite'
    ? all
    : all.where(sql<boolean>`tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`);
}

/** Payloads of logged events, as JSON and exactly as they travel; an event that is gone is left out. */
export type PayloadReader = (seqs: readonly number[]) => Promise<ReadonlyMap<number, string>>;

export interface UnopenableLog {
  error(details: object, message: string): void;
}

/** It is as good as gone; that happens when its master key is no longer configured. */
export function reportUnopenable(log: UnopenableLog, event: number, why: string): void {
  log.error({ event, why }, 'a logged event cannot be opened');
}

/** Reads whole payloads. */
export function createPayloadReader({
  store: { read, dialect },
  sealedBox,
  log,
}: {
  store: Pick<Store, 'read' | 'dialect'>;
  sealedBox: Pick<SealedBox, 'open'>;
  log: UnopenableLog;
}): PayloadReader {
  // Compiled once: it is asked for very often.
  const compiled = read
    .selectFrom('events')
    .select(['seq', 'slot_id', 'key', 'sealed'])
    .select(sql<string | null>`CASE WHEN sealed IS NULL THEN body END`.as('body'))
    .where('seq', 'in', listed(dialect, []))
    .compile();

  return async (seqs) => {
    const payloads = new Map<number, string>();
    if (seqs.length === 0) return payloads;
    const query = { ...compiled, parameters: [listParameter(dialect, seqs)] };
    for (const stored of (await read.executeQuery<StoredPayload>(query)).rows) {
      try {
        payloads.set(stored.seq, openPayload(sealedBox, stored));
      } catch (error) {
        if (!(error instanceof UnopenableBox)) throw error;
        reportUnopenable(log, stored.seq, error.message);
      }
    }
    return payloads;
  };
}

/** Reads payloads without their content. */
export function createRedactedPayloadReader({
  read,
  dialect,
}: Pick<Store, 'read' | 'dialect'>): PayloadReader {
  return async (seqs) => {
    if (seqs.length === 0) return new Map();
    const rows = await read
      .selectFrom('events')
      .select(['seq', 'body'])
      .where('seq', 'in', listed(dialect, seqs))
      .execute();
    return new Map(rows.map(({ seq, body }) => [seq, body]));
  };
}

/** A list as one parameter, so that lists of every length are one statement. */
function listed(dialect: Dialect, seqs: readonly number[]) {
  const list = listParameter(dialect, seqs);
  return dialect === 'sqlite'
    ? sql<number>`(select value from json_each(${list}))`
    : sql<number>`(select unnest(${list}::bigint[]))`;
}

function listParameter(dialect: Dialect, seqs: readonly number[]): string | readonly number[] {
  return dialect === 'sqlite' ? JSON.stringify(seqs) : seqs;
}

/** How much later an event that is still to be delivered is looked at again. */
const ASK_AGAIN_AFTER_MS = DAY_MS;

/** Drops some events whose time is over; those that are still to be delivered stay. Answers how many it has dealt with. */
export async function dropExpiredEvents(store: Store, now: number, limit: number): Promise<number> {
  const expired = await store.read
    .selectFrom('events')
    .select(['seq', 'account_id'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  for (const [accountId, events] of Map.groupBy(expired, ({ account_id }) => account_id)) {
    const seqs = events.map(({ seq }) => seq);
    const needed = await undeliveredEvents(store, accountId, Math.max(...seqs));
    const { drop = [], keep = [] } = Object.groupBy(seqs, (seq) => (needed.has(seq) ? 'keep' : 'drop'));
    await store.transaction(async (trx) => {
      if (drop.length > 0) await trx.deleteFrom('events').where('seq', 'in', drop).execute();
      if (keep.length > 0)
        await trx
          .updateTable('events')
          .set({ expires_at: now + ASK_AGAIN_AFTER_MS })
          .where('seq', 'in', keep)
          .execute();
    });
  }
  return expired.length;
}

/** Which of the events up to this one are still to be delivered, or could be again. */
async function undeliveredEvents(
  { read }: Pick<Store, 'read'>,
  accountId: string,
  upToEventSeq: number,
): Promise<ReadonlySet<number>> {
  const rows = await read
    .selectFrom('deliveries')
    .select('event_seq')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['pending', 'paused', 'dead'])
    .where('event_seq', '<=', upToEventSeq)
    .execute();
  return new Set(rows.flatMap(({ event_seq }) => event_seq ?? []));
}

interface WaitingLane extends LaneName {
  /** When its earliest delivery is, or was, due. */
  readonly dueAt: number;
}

/** Every lane that has something to deliver. Jumps from lane to lane in the index: its cost does not grow with what waits in them. */
export async function waitingLanes(store: Pick<Store, 'read'>): Promise<readonly WaitingLane[]> {
  const { rows } = await sql<WaitingLane>`
    WITH RECURSIVE lane(account_id, url, due_at) AS (
      SELECT account_id, url, due_at FROM (
        SELECT account_id, url, due_at FROM deliveries WHERE status = 'pending'
        ORDER BY account_id, url, due_at LIMIT 1
      ) AS first_lane
      UNION ALL
      SELECT d.account_id, d.url, d.due_at FROM lane JOIN deliveries d ON d.seq = (
        SELECT n.seq FROM deliveries n
        WHERE n.status = 'pending' AND (n.account_id, n.url) > (lane.account_id, lane.url)
        ORDER BY n.account_id, n.url, n.due_at LIMIT 1
      )
    )
    SELECT account_id AS "accountId", url, due_at AS "dueAt" FROM lane`.execute(store.read);
  return rows;
}
