import type { DeliveryAttempt, EventKind } from '@parley/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import { containsText, type DeliveryRow, type Store, type WebhookRow, type Writer } from '#platform/store';

type Queries = Pick<Writer, 'selectFrom'>;
export type StoredDelivery = Omit<Selectable<DeliveryRow>, 'answers' | 'replay_id'>;

/** All but what was answered, which few ask for and which takes more room than the rest. */
const COLUMNS = [
  'seq',
  'account_id',
  'webhook_id',
  'event_seq',
  'event_id',
  'kind',
  'category',
  'url',
  'size',
  'status',
  'queued_at',
  'due_at',
  'tries',
  'attempts',
  'event',
  'chat',
] as const;

/** What one account is shown of its history is short. */
const SEARCHED = ['event_id', 'event', 'attempts'];

interface DeliveryFilter {
  readonly accountId: string;
  readonly webhookId: string;
  /** Each with the first that is shown. */
  readonly statuses: readonly { readonly status: DeliveryRow['status']; readonly fromSeq: number }[];
  /** Only what was queued at this time or later. */
  readonly queuedFrom: number;
  /** Or earlier. */
  readonly queuedTo?: number | undefined;
  /** What must stand in the event, its id or its attempts. */
  readonly search?: string | undefined;
  readonly kind: EventKind | undefined;
  readonly hidden: readonly EventKind[];
  /** Only older ones. */
  readonly beforeSeq: number;
  readonly limit: number;
}

/** Newest first. One short walk through the index per status, then merged. */
export async function listDeliveries(db: Queries, filter: DeliveryFilter): Promise<StoredDelivery[]> {
  const { accountId, webhookId, kind, hidden, queuedTo, search, beforeSeq, limit } = filter;
  const pages = filter.statuses.map(({ status, fromSeq }) =>
    db
      .selectFrom('deliveries')
      .select(COLUMNS)
      .where('account_id', '=', accountId)
      .where('status', '=', status)
      .where('seq', '<', beforeSeq)
      .where('seq', '>=', fromSeq)
      .where('queued_at', '>=', filter.queuedFrom)
      .where('webhook_id', '=', webhookId)
      .$if(queuedTo !== undefined, (query) => query.where('queued_at', '<=', queuedTo as number))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind as EventKind))
      .$if(search !== undefined, (query) => query.where(containsText(SEARCHED, search as string)))
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
    .select(COLUMNS)
    .where('seq', '=', seq)
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', id)
    .executeTakeFirst();
}

/** What was answered to its attempts, sealed; of whichever account. */
export async function readAnswers(db: Queries, seq: number): Promise<Uint8Array | null> {
  const row = await db.selectFrom('deliveries').select('answers').where('seq', '=', seq).executeTakeFirst();
  return row?.answers ?? null;
}

export async function insertDelivery(trx: Writer, row: Insertable<DeliveryRow>): Promise<number> {
  const { seq } = await trx.insertInto('deliveries').values(row).returning('seq').executeTakeFirstOrThrow();
  return seq;
}

export async function requeueDelivery(
  trx: Writer,
  seq: number,
  { url, status, now }: Omit<Requeueing, 'replayId'>,
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ url, status, tries: 0, queued_at: now, due_at: now, replay_id: null })
    .where('seq', '=', seq)
    .execute();
}

interface Requeueing {
  readonly url: string;
  readonly status: 'pending' | 'paused';
  readonly now: number;
  /** Null: repeated on its own, not as part of a replay. */
  readonly replayId: string | null;
}

/** The same for several that end at one URL. */
export async function requeueDeliveries(
  trx: Writer,
  { account_id, id }: WebhookRow,
  seqs: readonly number[],
  { url, status, now, replayId }: Requeueing,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ url, status, tries: 0, queued_at: now, due_at: now, replay_id: replayId })
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', id)
    .where('status', 'in', ENDED)
    .where('seq', 'in', seqs)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Makes what waits for its next attempt due: one delivery, or all of the webhook. */
export async function hurryDeliveries(
  trx: Writer,
  { account_id, id }: WebhookRow,
  now: number,
  seq?: number,
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('account_id', '=', account_id)
    .where('status', '=', 'pending')
    .where('webhook_id', '=', id)
    .where('due_at', '>', now)
    .$if(seq !== undefined, (query) => query.where('seq', '=', seq as number))
    .execute();
}

/** Which of these events are still in the log. */
export async function loggedEvents(db: Queries, seqs: readonly number[]): Promise<ReadonlySet<number>> {
  if (seqs.length === 0) return new Set();
  const rows = await db.selectFrom('events').select('seq').where('seq', 'in', seqs).execute();
  return new Set(rows.map(({ seq }) => seq));
}

export async function countReplayed(
  db: Queries,
  { account_id, id }: WebhookRow,
  replayId: string,
): Promise<ReadonlyMap<DeliveryRow['status'], number>> {
  const rows = await db
    .selectFrom('deliveries')
    .select((e) => ['status', e.fn.countAll<number>().as('count')])
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', id)
    .where('replay_id', '=', replayId)
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, Number(count)]));
}

/** The status as a literal: for one that is bound, SQLite would not look into the index of the pending, or of the dead. */
export function deliveriesOfStatus(db: Queries, status: DeliveryRow['status']) {
  return db.selectFrom('deliveries').where('status', '=', sql.lit(status));
}

/** Whose delivery it is. */
export function ownerOfDelivery(
  db: Queries,
  seq: number,
): Promise<Pick<DeliveryRow, 'account_id' | 'webhook_id'> | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['account_id', 'webhook_id'])
    .where('seq', '=', seq)
    .executeTakeFirst();
}

const ENDED = ['delivered', 'dead'] as const;

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
export async function expireStaleDeliveries(
  trx: Writer,
  which: {
    accountId: string;
    status: 'pending' | 'paused';
    webhookId?: string;
    queuedBefore: number;
    limit: number;
  },
): Promise<number> {
  const { accountId, status, webhookId, queuedBefore, limit } = which;
  const some = trx
    .selectFrom('deliveries')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('status', '=', status)
    .$if(webhookId !== undefined, (query) => query.where('webhook_id', '=', webhookId as string))
    .where('queued_at', '<', queuedBefore)
    .limit(limit);
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ status: 'dead' })
    .where('seq', 'in', some)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

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
    .leftJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .leftJoin('formatted_webhooks as formatted', 'formatted.id', 'deliveries.webhook_id')
    .select(COLUMNS.map((column) => `deliveries.${column}` as const))
    .select((e) => e.fn.coalesce('webhooks.phone', 'formatted.phone', sql.lit('')).as('phone'))
    .where('deliveries.status', '=', 'dead')
    .where('deliveries.seq', '<', beforeSeq);
  if (accountId !== undefined) query = query.where('deliveries.account_id', '=', accountId);
  return query.orderBy('deliveries.seq', 'desc').limit(limit).execute();
}

interface QueueDepths {
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
  // Only a webhook that is paused or not active has paused ones: by its account they are found in the index.
  const inactiveIn = (table: 'webhooks' | 'formatted_webhooks') =>
    read
      .selectFrom(table)
      .select('account_id')
      .where((e) => e.or([e('active', '=', 0), e('paused_at', 'is not', null)]));
  const inactive = inactiveIn('webhooks').unionAll(inactiveIn('formatted_webhooks'));
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

/** Limit of the count, so that its cost does not grow with the backlog. */
const COUNTED_UP_TO = 20_000;

/** The figures of `queueDepths` from the indexes alone, for frequent polling. */
export async function deliveryBacklog({
  read,
}: Pick<Store, 'read'>): Promise<{ waiting: number; dead: number; oldestAt: number | null }> {
  const counted = (status: 'pending' | 'dead') =>
    read
      .selectFrom(deliveriesOfStatus(read, status).select('seq').limit(COUNTED_UP_TO).as('found'))
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('seq').as('first')])
      .executeTakeFirst();
  const [pending, dead] = await Promise.all([counted('pending'), counted('dead')]);
  const first = pending?.first ?? null;
  const oldest =
    first === null
      ? undefined
      : await read.selectFrom('deliveries').select('queued_at').where('seq', '=', first).executeTakeFirst();
  return {
    waiting: Number(pending?.count ?? 0),
    dead: Number(dead?.count ?? 0),
    oldestAt: oldest?.queued_at ?? null,
  };
}
