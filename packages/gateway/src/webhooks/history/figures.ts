import type { DeliveryAttempt } from '@parley/contract';
import type { DeliveryRow, Store, WebhookRow } from '#store';
import { deliveriesOfStatus, type StoredDelivery } from '../store.ts';

type Queries = Store['read'];

/** More than the log keeps of an account once it has been delivered. */
const RECENT_MAX = 2_000;

/** Every attempt of the newest deliveries of a webhook. */
export async function recentAttempts(
  db: Queries,
  { account_id, id }: WebhookRow,
): Promise<DeliveryAttempt[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('attempts')
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', id)
    .where('attempts', '!=', '[]')
    .orderBy('seq', 'desc')
    .limit(RECENT_MAX)
    .execute();
  return rows.flatMap(({ attempts }) => JSON.parse(attempts) as DeliveryAttempt[]);
}

export async function countDeliveries(
  db: Queries,
  { account_id, id }: WebhookRow,
  statuses: readonly DeliveryRow['status'][],
): Promise<number> {
  const row = await db
    .selectFrom('deliveries')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .where('status', 'in', statuses)
    .where('webhook_id', '=', id)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export type DeadDelivery = StoredDelivery & { phone: string };

/** Newest first, each with the phone of its webhook. */
export function deadDeliveries(
  db: Queries,
  { accountId, beforeSeq, limit }: { accountId: string | undefined; beforeSeq: number; limit: number },
): Promise<DeadDelivery[]> {
  let query = db
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .selectAll('deliveries')
    .select('webhooks.phone')
    .where('deliveries.status', '=', 'dead')
    .where('deliveries.seq', '<', beforeSeq);
  if (accountId !== undefined) query = query.where('deliveries.account_id', '=', accountId);
  return query.orderBy('deliveries.seq', 'desc').limit(limit).execute();
}

export interface QueueDepths {
  readonly pending: number;
  readonly paused: number;
  readonly dead: number;
  /** When the pending one that waits longest was queued. */
  readonly oldestAt: number | null;
}

/** Of all accounts. */
export async function queueDepths({ read }: Pick<Store, 'read'>): Promise<QueueDepths> {
  const ofStatus = (status: DeliveryRow['status']) =>
    deliveriesOfStatus(read, status).select((e) => [
      e.fn.countAll<number>().as('count'),
      e.fn.min('queued_at').as('oldest'),
    ]);
  // Only a webhook that is not active has paused ones: by its account they are found in the index.
  const inactive = read.selectFrom('webhooks').select('account_id').where('active', '=', 0);
  const [pending, paused, dead] = await Promise.all([
    ofStatus('pending').executeTakeFirst(),
    ofStatus('paused').where('account_id', 'in', inactive).executeTakeFirst(),
    ofStatus('dead').executeTakeFirst(),
  ]);
  return {
    pending: Number(pending?.count ?? 0),
    paused: Number(paused?.count ?? 0),
    dead: Number(dead?.count ?? 0),
    oldestAt: pending?.oldest ?? null,
  };
}
