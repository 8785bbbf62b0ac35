import {
  EVENT_CATEGORIES,
  FAILING_RECEIVERS_LISTED_MAX,
  type FailingReceiver,
  URL_FIELD_OF_CATEGORY,
  WEBHOOK_FAILING_MAIL_SECONDS,
  type WebhookUrlField,
} from '@parley/contract';
import { type Beginning, beginningOf, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { FailingReceiverRow, WebhookRow, Writer } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { OWN_FORMAT } from '../endpoints/endpoint-cache.ts';
import { allWebhooks, isSending } from '../endpoints/endpoint-queries.ts';
import {
  accountsWithFailing,
  failingReceiversOf,
  markNotified,
  unnotifiedFailures,
  waitingFor,
} from './receiver-queries.ts';

/** Finds the owners of an account, and then writes to them inside the transaction that remembers it. */
export type NotifyOwners = (
  accountId: string,
) => Promise<(trx: Writer, urls: readonly string[]) => Promise<void>>;

const LOOK_EVERY_MS = 60_000;

/** Notifies the owners of receivers that have only failed for an hour: once per period of failure, also across crashes. */
export function startFailureWatch({
  store,
  clock,
  notifyOwners,
  onNotified,
  log,
}: Pick<WebhooksContext, 'store' | 'clock'> & {
  readonly notifyOwners: NotifyOwners;
  /** Called after a notification is committed. */
  readonly onNotified: () => void;
  readonly log: JobLog;
}): PeriodicJob {
  async function notify(accountId: string, failing: readonly FailingReceiverRow[]): Promise<void> {
    const sending = (await allWebhooks(store.read, accountId)).filter(isSending);
    const wanted = failing.filter(({ url }) => sending.some((webhook) => sendsTo(webhook, url)));
    if (wanted.length === 0) return;
    const write = await notifyOwners(accountId);
    const notified = await store.transaction(async (trx) => {
      const urls: string[] = [];
      for (const row of wanted) if (await markNotified(trx, row, clock.now())) urls.push(row.url);
      if (urls.length > 0) await write(trx, urls);
      return urls;
    });
    if (notified.length > 0) onNotified();
  }

  return startPeriodicJob({
    clock,
    everyMs: LOOK_EVERY_MS,
    async work() {
      const failingBefore = clock.now() - WEBHOOK_FAILING_MAIL_SECONDS * 1_000;
      const failing = await unnotifiedFailures(store.read, failingBefore);
      for (const [accountId, ofAccount] of Map.groupBy(failing, ({ account_id }) => account_id))
        await notify(accountId, ofAccount);
    },
    log,
    name: 'failing-receivers',
  });
}

/** Receivers of an account that do nothing but fail, as far as something is sent to them; of these addresses alone, if any are named. */
export async function failingReceivers(
  { store }: Pick<WebhooksContext, 'store'>,
  accountId: string,
  urls?: readonly string[],
): Promise<Beginning<FailingReceiver>> {
  const limit = FAILING_RECEIVERS_LISTED_MAX + 1;
  const found = await failingReceiversOf(store.read, accountId, { urls, limit });
  if (found.length === 0) return { items: [], hasMore: false };
  const { items: rows, hasMore } = beginningOf(found, FAILING_RECEIVERS_LISTED_MAX);
  const sending = (await allWebhooks(store.read, accountId)).filter(isSending);
  const listed = rows.map(async (row) => {
    const listening = sending.filter((webhook) => sendsTo(webhook, row.url));
    if (listening.length === 0) return [];
    const webhooks = listening.filter(({ format }) => format === OWN_FORMAT);
    const waiting = await waitingFor(store.read, { accountId, url: row.url });
    return [publicReceiver(row, webhooks, waiting)];
  });
  return { items: (await Promise.all(listed)).flat(), hasMore };
}

/** Of every account, failing longest first. */
export async function failingOfAll(
  context: Pick<WebhooksContext, 'store'>,
): Promise<Beginning<FailingReceiver & { account_id: string }>> {
  const accountIds = await accountsWithFailing(context.store.read);
  const listed = await Promise.all(
    accountIds.map(async (account_id) => {
      const { items, hasMore } = await failingReceivers(context, account_id);
      return { items: items.map((receiver) => ({ account_id, ...receiver })), hasMore };
    }),
  );
  const all = listed.flatMap(({ items }) => items);
  const longestFirst = all.toSorted((a, b) => a.failing_since_unix - b.failing_since_unix);
  const { items, hasMore } = beginningOf(longestFirst, FAILING_RECEIVERS_LISTED_MAX);
  return { items, hasMore: hasMore || listed.some((each) => each.hasMore) };
}

function sendsTo(webhook: Pick<WebhookRow, WebhookUrlField>, url: string): boolean {
  return EVENT_CATEGORIES.some((category) => webhook[URL_FIELD_OF_CATEGORY[category]] === url);
}

function publicReceiver(
  row: FailingReceiverRow,
  webhooks: readonly { id: string; phone: string }[],
  waiting: Awaited<ReturnType<typeof waitingFor>>,
): FailingReceiver {
  const next = waiting.dueAt === null ? null : Math.max(waiting.dueAt, row.probe_at ?? 0);
  return {
    url: row.url,
    webhooks: webhooks.map(({ id, phone }) => ({ webhook_id: id, phone })),
    failing_since_unix: unix(row.failing_since),
    last_failure_at_unix: unix(row.failed_at),
    cause: row.cause,
    status_code: row.status_code,
    next_attempt_at_unix: next === null ? null : unix(next),
    left_alone: row.probe_at !== null,
    waiting: waiting.count,
    oldest_waiting_at_unix: waiting.oldestAt === null ? null : unix(waiting.oldestAt),
  };
}

function unix(ms: number): number {
  return Math.floor(ms / 1_000);
}
