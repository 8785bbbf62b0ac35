import { WEBHOOK_FAILING_MAIL_SECONDS } from '@parley/contract';
import { type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { FailingReceiverRow, Writer } from '#store';
import type { WebhooksContext } from '../context.ts';
import { isSending } from '../endpoints/sending.ts';
import { allWebhooks } from '../endpoints/store.ts';
import { sendsTo } from './list.ts';
import { markTold, untoldFailures } from './store.ts';

/** Finds the owners of an account, and then writes to them inside the transaction that remembers it. */
export type TellOwners = (
  accountId: string,
) => Promise<(trx: Writer, urls: readonly string[]) => Promise<void>>;

const LOOK_EVERY_MS = 60_000;

/** Tells the owners of receivers that have done nothing but fail for an hour: once for each such time, whoever crashes. */
export function startFailureWatch({
  store,
  clock,
  tellOwners,
  onTold,
  log,
}: Pick<WebhooksContext, 'store' | 'clock'> & {
  readonly tellOwners: TellOwners;
  /** What was told is committed. */
  readonly onTold: () => void;
  readonly log: JobLog;
}): PeriodicJob {
  async function tell(accountId: string, failing: readonly FailingReceiverRow[]): Promise<void> {
    const sending = (await allWebhooks(store.read, accountId)).filter(isSending);
    const wanted = failing.filter(({ url }) => sending.some((webhook) => sendsTo(webhook, url)));
    if (wanted.length === 0) return;
    const write = await tellOwners(accountId);
    const told = await store.transaction(async (trx) => {
      const urls: string[] = [];
      for (const row of wanted) if (await markTold(trx, row, clock.now())) urls.push(row.url);
      if (urls.length > 0) await write(trx, urls);
      return urls;
    });
    if (told.length > 0) onTold();
  }

  return startPeriodicJob({
    clock,
    everyMs: LOOK_EVERY_MS,
    async work() {
      const failingBefore = clock.now() - WEBHOOK_FAILING_MAIL_SECONDS * 1_000;
      const failing = await untoldFailures(store.read, failingBefore);
      for (const [accountId, ofAccount] of Map.groupBy(failing, ({ account_id }) => account_id))
        await tell(accountId, ofAccount);
    },
    log,
    name: 'failing-receivers',
  });
}
