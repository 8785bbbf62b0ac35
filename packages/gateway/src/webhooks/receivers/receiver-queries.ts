import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY } from '@parley/contract';
import { sql } from 'kysely';
import type { FailingReceiverRow, Writer } from '#platform/store';

type Queries = Pick<Writer, 'selectFrom'>;

/** Failing longest first; of these addresses alone, if any are named. */
export function failingReceiversOf(
  db: Queries,
  accountId: string,
  { urls, limit }: { readonly urls?: readonly string[] | undefined; readonly limit: number },
): Promise<FailingReceiverRow[]> {
  const all = db.selectFrom('failing_receivers').selectAll().where('account_id', '=', accountId);
  const wanted = urls ? all.where('url', 'in', urls) : all;
  return wanted.orderBy('failing_since').limit(limit).execute();
}

/** As few as fail. */
export async function accountsWithFailing(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('failing_receivers').select('account_id').distinct().execute();
  return rows.map(({ account_id }) => account_id);
}

/** Forgets receivers that nothing is sent to any more. */
export async function dropStrayReceivers(trx: Writer, accountId: string): Promise<void> {
  const urls = (['webhooks', 'formatted_webhooks'] as const).flatMap((table) =>
    EVENT_CATEGORIES.map((category) =>
      trx
        .selectFrom(table)
        .select(sql.ref<string>(URL_FIELD_OF_CATEGORY[category]).as('url'))
        .where('account_id', '=', accountId),
    ),
  );
  const [first, ...others] = urls;
  if (!first) return;
  const used = others.reduce((all, each) => all.unionAll(each), first);
  await trx
    .deleteFrom('failing_receivers')
    .where('account_id', '=', accountId)
    .where('url', 'not in', used)
    .execute();
}

/** Counting must not cost the more the worse things are. */
const COUNTED_UP_TO = 10_000;

/** What waits for a receiver: how many, the oldest, and when the first of them is due. */
export async function waitingFor(
  db: Queries,
  { accountId, url }: { accountId: string; url: string },
): Promise<{ count: number; oldestAt: number | null; dueAt: number | null }> {
  const found = await db
    .selectFrom((e) =>
      e
        .selectFrom('deliveries')
        .select(['queued_at', 'due_at'])
        .where('status', '=', sql.lit('pending'))
        .where('account_id', '=', accountId)
        .where('url', '=', url)
        .orderBy('due_at')
        .limit(COUNTED_UP_TO)
        .as('waiting'),
    )
    .select((e) => [
      e.fn.countAll<number>().as('count'),
      e.fn.min('queued_at').as('oldest'),
      e.fn.min('due_at').as('due'),
    ])
    .executeTakeFirst();
  return { count: Number(found?.count ?? 0), oldestAt: found?.oldest ?? null, dueAt: found?.due ?? null };
}

/** Receivers of all accounts that fail since then and whose owners were not notified. */
export function unnotifiedFailures(db: Queries, failingBefore: number): Promise<FailingReceiverRow[]> {
  return db
    .selectFrom('failing_receivers')
    .selectAll()
    .where('notified_at', 'is', null)
    .where('failing_since', '<=', failingBefore)
    .orderBy('account_id')
    .orderBy('url')
    .execute();
}

/** False: another process has just notified, or the receiver works again. */
export async function markNotified(
  trx: Writer,
  { account_id, url, failing_since }: FailingReceiverRow,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('failing_receivers')
    .set({ notified_at: now })
    .where('account_id', '=', account_id)
    .where('url', '=', url)
    .where('failing_since', '=', failing_since)
    .where('notified_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
