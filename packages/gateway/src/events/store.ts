import type { EventKind } from '@parley/contract';
import { sql } from 'kysely';
import type { Dialect, Store, Writer } from '#store';
import type { StoredPayload } from './payload.ts';

/** A place in an account's log: what comes behind it has not been read yet. */
export interface Position {
  readonly tx: number;
  readonly seq: number;
}

export interface LogFilter {
  readonly accountId: string;
  readonly slotId: string | undefined;
  readonly kind: EventKind | undefined;
}

export interface LogEntry extends Position {
  readonly event_id: string;
  readonly slot_id: string;
  readonly kind: EventKind;
  readonly size: number;
}

/**
 * Entries behind a position, oldest first, without their payloads. In PostgreSQL an entry is shown once every transaction that began
 * before its own is over: else a slower one could put its entries before a place that a reader has passed already.
 */
export function entriesAfter(
  store: Pick<Store, 'read' | 'dialect'>,
  { accountId, slotId, kind }: LogFilter,
  { tx, seq }: Position,
  limit: number,
): Promise<LogEntry[]> {
  let query = visible(store)
    .select(['tx', 'seq', 'event_id', 'slot_id', 'kind', 'size'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(tx, seq) > (${tx}, ${seq})`)
    .orderBy('tx')
    .orderBy('seq')
    .limit(limit);
  if (slotId !== undefined) query = query.where('slot_id', '=', slotId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return query.execute();
}

/** Entries before a position, newest first, with their redacted payloads. */
export function entriesBefore(
  store: Pick<Store, 'read' | 'dialect'>,
  { accountId, slotId, kind }: LogFilter,
  before: Position | undefined,
  limit: number,
) {
  let query = visible(store)
    .select(['tx', 'seq', 'event_id', 'slot_id', 'kind', 'at', 'body'])
    .where('account_id', '=', accountId)
    .orderBy('tx', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit);
  if (before) query = query.where(sql<boolean>`(tx, seq) < (${before.tx}, ${before.seq})`);
  if (slotId !== undefined) query = query.where('slot_id', '=', slotId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return query.execute();
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

function visible({ read, dialect }: Pick<Store, 'read' | 'dialect'>) {
  const all = read.selectFrom('events');
  return dialect === 'sqlite'
    ? all
    : all.where(sql<boolean>`tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`);
}

/** Compiled once: every window of deliveries asks for its payloads. */
export function readerOfPayloads({
  read,
  dialect,
}: Pick<Store, 'read' | 'dialect'>): (seqs: readonly number[]) => Promise<StoredPayload[]> {
  const compiled = read
    .selectFrom('events')
    .select(['seq', 'slot_id', 'key', 'sealed'])
    .select(sql<string | null>`CASE WHEN sealed IS NULL THEN body END`.as('body'))
    .where('seq', 'in', listed(dialect, []))
    .compile();
  return async (seqs) => {
    const parameters = [listParameter(dialect, seqs)];
    return (await read.executeQuery<StoredPayload>({ ...compiled, parameters })).rows;
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

export function storedBodies(
  { read, dialect }: Pick<Store, 'read' | 'dialect'>,
  seqs: readonly number[],
): Promise<{ seq: number; body: string }[]> {
  return read
    .selectFrom('events')
    .select(['seq', 'body'])
    .where('seq', 'in', listed(dialect, seqs))
    .execute();
}

export function expiredEvents(
  { read }: Pick<Store, 'read'>,
  now: number,
  limit: number,
): Promise<{ seq: number; account_id: string }[]> {
  return read
    .selectFrom('events')
    .select(['seq', 'account_id'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

export async function dropEvents(trx: Writer, seqs: readonly number[]): Promise<void> {
  if (seqs.length > 0) await trx.deleteFrom('events').where('seq', 'in', seqs).execute();
}

export async function keepEvents(trx: Writer, seqs: readonly number[], until: number): Promise<void> {
  if (seqs.length > 0)
    await trx.updateTable('events').set({ expires_at: until }).where('seq', 'in', seqs).execute();
}
