import { EVENT_CATEGORIES, type EventKind, URL_FIELD_OF_CATEGORY } from '@parley/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { DeliveryRow, WebhookRow, Writer } from '#store';

type Queries = Pick<Writer, 'selectFrom'>;
export type StoredDelivery = Selectable<DeliveryRow>;

export function findWebhook(db: Queries, accountId: string, id: string): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function listWebhooks(db: Queries, accountId: string): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
}

export async function insertWebhook(trx: Writer, row: WebhookRow): Promise<void> {
  await trx.insertInto('webhooks').values(row).execute();
}

export async function changeWebhook(trx: Writer, id: string, change: Partial<WebhookRow>): Promise<void> {
  await trx.updateTable('webhooks').set(change).where('id', '=', id).execute();
}

export async function deleteWebhook(trx: Writer, { id, account_id }: WebhookRow): Promise<void> {
  await trx
    .deleteFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', id)
    .execute();
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** Brings what is queued in line with the new configuration; what is just being sent finds out by itself. */
export async function followChange(trx: Writer, before: WebhookRow, after: WebhookRow): Promise<void> {
  const queued = (...statuses: DeliveryRow['status'][]) =>
    trx
      .updateTable('deliveries')
      .where('account_id', '=', before.account_id)
      .where('status', 'in', statuses)
      .where('webhook_id', '=', before.id);
  for (const category of EVENT_CATEGORIES) {
    const url = after[URL_FIELD_OF_CATEGORY[category]];
    if (url === before[URL_FIELD_OF_CATEGORY[category]]) continue;
    await queued('pending', 'paused')
      .where('category', '=', category)
      .set(url === '' ? { status: 'dead' } : { url })
      .execute();
  }
  if (after.active !== before.active) {
    const [from, to] = after.active ? (['paused', 'pending'] as const) : (['pending', 'paused'] as const);
    await queued(from).set({ status: to }).execute();
  }
}

export interface DeliveryFilter {
  readonly accountId: string;
  readonly webhookId: string;
  /** Each with the first that is shown. */
  readonly statuses: readonly { readonly status: DeliveryRow['status']; readonly fromSeq: number }[];
  /** Only what was queued at this time or later. */
  readonly queuedFrom: number;
  readonly kind: EventKind | undefined;
  readonly hidden: readonly EventKind[];
  /** Only older ones. */
  readonly beforeSeq: number;
  readonly limit: number;
}

/** Newest first. One short walk through the index per status, then merged. */
export async function listDeliveries(db: Queries, filter: DeliveryFilter): Promise<StoredDelivery[]> {
  const { accountId, webhookId, kind, hidden, beforeSeq, limit } = filter;
  const pages = filter.statuses.map(({ status, fromSeq }) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('status', '=', status)
      .where('seq', '<', beforeSeq)
      .where('seq', '>=', fromSeq)
      .where('queued_at', '>=', filter.queuedFrom)
      .where('webhook_id', '=', webhookId)
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind as EventKind))
      .where('kind', 'not in', hidden)
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute(),
  );
  const rows = (await Promise.all(pages)).flat();
  return rows.sort((a, b) => b.seq - a.seq).slice(0, limit);
}

/** Newest first. */
export async function latestDeliveries(
  db: Queries,
  which: {
    accountId: string;
    status: DeliveryRow['status'];
    hidden: readonly EventKind[];
    limit: number;
  },
): Promise<number[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('seq')
    .where('account_id', '=', which.accountId)
    .where('status', '=', which.status)
    .where('kind', 'not in', which.hidden)
    .orderBy('seq', 'desc')
    .limit(which.limit)
    .execute();
  return rows.map(({ seq }) => seq);
}

export function findDelivery(
  db: Queries,
  { account_id, id }: WebhookRow,
  seq: number,
): Promise<StoredDelivery | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('seq', '=', seq)
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', id)
    .executeTakeFirst();
}

export async function insertDelivery(trx: Writer, row: Insertable<DeliveryRow>): Promise<number> {
  const { seq } = await trx.insertInto('deliveries').values(row).returning('seq').executeTakeFirstOrThrow();
  return seq;
}

export async function requeueDelivery(
  trx: Writer,
  seq: number,
  { url, status, now }: { url: string; status: 'pending' | 'paused'; now: number },
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ url, status, tries: 0, queued_at: now, due_at: now })
    .where('seq', '=', seq)
    .execute();
}

/** The status as a literal: for one that is bound, SQLite would not look into the index of the pending, or of the dead. */
export function deliveriesOfStatus(db: Queries, status: DeliveryRow['status']) {
  return db.selectFrom('deliveries').where('status', '=', sql.lit(status));
}

const ENDED = ['delivered', 'dead'] as const;

export async function accountsWithWebhooks(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('webhooks').select('account_id').distinct().execute();
  return rows.map(({ account_id }) => account_id);
}

/** Deletes some of the ended deliveries that fit; answers how many. */
export async function dropEnded(
  trx: Writer,
  which: {
    accountId: string;
    webhookId?: string;
    kinds?: readonly EventKind[];
    queuedBefore?: number;
    limit: number;
  },
): Promise<number> {
  const { accountId, webhookId, kinds, queuedBefore, limit } = which;
  let some = trx
    .selectFrom('deliveries')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('status', 'in', ENDED);
  if (webhookId !== undefined) some = some.where('webhook_id', '=', webhookId);
  if (kinds !== undefined) some = some.where('kind', 'in', kinds);
  if (queuedBefore !== undefined) some = some.where('queued_at', '<', queuedBefore);
  const { numDeletedRows } = await trx
    .deleteFrom('deliveries')
    .where('seq', 'in', some.limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Declares some of the deliveries dead that were queued long ago; answers how many. */
export async function buryStale(
  trx: Writer,
  { accountId, queuedBefore, limit }: { accountId: string; queuedBefore: number; limit: number },
): Promise<number> {
  const some = trx
    .selectFrom('deliveries')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['pending', 'paused'])
    .where('queued_at', '<', queuedBefore)
    .limit(limit);
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ status: 'dead' })
    .where('seq', 'in', some)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
