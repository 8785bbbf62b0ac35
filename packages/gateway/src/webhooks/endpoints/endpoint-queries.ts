import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY, type WebhookUrlField } from '@parley/contract';
import { sql } from 'kysely';
import {
  type DeliveryRow,
  erase,
  type FormattedWebhookRow,
  type Store,
  type WebhookRow,
  type Writer,
} from '#platform/store';
import { dropStrayReceivers } from '../receivers/receiver-queries.ts';

type Queries = Pick<Writer, 'selectFrom'>;
/** Of either kind. */
type Listening = WebhookRow | FormattedWebhookRow;

const URL_FIELDS = EVENT_CATEGORIES.map((category) => URL_FIELD_OF_CATEGORY[category]);

/** Of whichever account. */
export function readWebhook(db: Queries, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
}

export function readFormatted(db: Queries, id: string): Promise<FormattedWebhookRow | undefined> {
  return db.selectFrom('formatted_webhooks').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findWebhook(db: Queries, accountId: string, id: string): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findFormatted(
  db: Queries,
  slotId: string,
  format: string,
): Promise<FormattedWebhookRow | undefined> {
  return db
    .selectFrom('formatted_webhooks')
    .selectAll()
    .where('slot_id', '=', slotId)
    .where('format', '=', format)
    .executeTakeFirst();
}

export function listWebhooks(db: Queries, accountId: string): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
}

type ListedWebhook = Pick<
  WebhookRow,
  'id' | 'account_id' | 'phone' | 'active' | 'paused_at' | WebhookUrlField
> & {
  /** Empty: our own words. */
  readonly format: string;
};

/** Webhooks of all formats. */
export function allWebhooks(db: Queries, accountId: string): Promise<ListedWebhook[]> {
  const columns = ['id', 'account_id', 'phone', 'active', 'paused_at', ...URL_FIELDS] as const;
  const own = db.selectFrom('webhooks').select(columns).select(sql.lit('').as('format'));
  const formatted = db.selectFrom('formatted_webhooks').select(columns).select('format');
  return own
    .where('account_id', '=', accountId)
    .unionAll(formatted.where('account_id', '=', accountId))
    .execute();
}

export async function insertWebhook(trx: Writer, row: WebhookRow): Promise<void> {
  await trx.insertInto('webhooks').values(row).execute();
}

export async function changeWebhook(trx: Writer, id: string, change: Partial<WebhookRow>): Promise<void> {
  await trx.updateTable('webhooks').set(change).where('id', '=', id).execute();
}

export async function insertFormatted(trx: Writer, row: FormattedWebhookRow): Promise<void> {
  await trx.insertInto('formatted_webhooks').values(row).execute();
}

export async function changeFormatted(
  trx: Writer,
  id: string,
  change: Partial<FormattedWebhookRow>,
): Promise<void> {
  await trx.updateTable('formatted_webhooks').set(change).where('id', '=', id).execute();
}

/** Deletes a webhook of any format, with its queued deliveries. */
export async function deleteWebhook(
  trx: Writer,
  { id, account_id }: Pick<WebhookRow, 'id' | 'account_id'>,
): Promise<void> {
  await trx
    .deleteFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', id)
    .execute();
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
  await trx.deleteFrom('formatted_webhooks').where('id', '=', id).execute();
  await dropStrayReceivers(trx, account_id);
}

/** Applies the new configuration to queued deliveries; an attempt under way checks it when it ends. */
export async function followChange(
  trx: Writer,
  before: Listening,
  after: Listening,
  now: number,
): Promise<void> {
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
  if (isSending(after) !== isSending(before)) {
    // What was kept has a whole day again to be delivered in.
    if (isSending(after)) await queued('paused').set({ status: 'pending', queued_at: now }).execute();
    else await queued('pending').set({ status: 'paused' }).execute();
  }
  await dropStrayReceivers(trx, before.account_id);
}

export async function accountsWithWebhooks(db: Queries): Promise<string[]> {
  const of = (table: 'webhooks' | 'formatted_webhooks') =>
    db.selectFrom(table).select('account_id').distinct();
  const rows = await of('webhooks').union(of('formatted_webhooks')).execute();
  return rows.map(({ account_id }) => account_id);
}

/** What is queued for it goes out; else it waits. */
export function isSending({ active, paused_at }: Pick<WebhookRow, 'active' | 'paused_at'>): boolean {
  return active === 1 && paused_at === null;
}

const STEP = 500;

/** Some of what was to be delivered to a webhook, whether it was or not; false once nothing is left. */
export function eraseDeliveries(store: Store, accountId: string, webhookId: string): Promise<boolean> {
  return erase(store, async (trx) => {
    const some = trx
      .selectFrom('deliveries')
      .select('seq')
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .limit(STEP);
    const { numDeletedRows } = await trx.deleteFrom('deliveries').where('seq', 'in', some).executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
