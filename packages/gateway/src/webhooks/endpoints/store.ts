import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY } from '@parley/contract';
import type { DeliveryRow, WebhookRow, Writer } from '#store';

type Queries = Pick<Writer, 'selectFrom'>;

/** That of webhooks which are told in our own words. Others belong to whoever set them up, and are not shown beside these. */
export const OWN_FORMAT = '';

/** Of whichever account, in whichever format. */
export function readWebhook(db: Queries, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findWebhook(db: Queries, accountId: string, id: string): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('format', '=', OWN_FORMAT)
    .executeTakeFirst();
}

export function findFormatted(db: Queries, slotId: string, format: string): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('slot_id', '=', slotId)
    .where('format', '=', format)
    .executeTakeFirst();
}

export function listWebhooks(db: Queries, accountId: string): Promise<WebhookRow[]> {
  return ofAccount(db, accountId).where('format', '=', OWN_FORMAT).execute();
}

/** In whichever format. */
export function allWebhooks(db: Queries, accountId: string): Promise<WebhookRow[]> {
  return ofAccount(db, accountId).execute();
}

function ofAccount(db: Queries, accountId: string) {
  return db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).orderBy('id');
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

export async function accountsWithWebhooks(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('webhooks').select('account_id').distinct().execute();
  return rows.map(({ account_id }) => account_id);
}
