import {
  type Clock,
  growingPause,
  HOUR_MS,
  type JobLog,
  type PeriodicJob,
  startPeriodicJob,
  UnopenableBox,
  waitAtMost,
} from '#kernel';
import { type Egress, EgressError } from '#platform/egress';
import type { BillingNoticeRow, Writer } from '#platform/store';
import { signedHeaders } from '#webhooks';
import {
  deleteNotice,
  dueNotices,
  findInvoiceIfAny,
  findSettings,
  insertNotice,
  postponeNotice,
} from './billing-queries.ts';
import type { BillingContext } from './context.ts';
import { publicInvoice } from './public-invoice.ts';

/** Queues a notice in the transaction that changes the invoice; does nothing without a billing webhook. */
export async function putNotice(
  { ids, clock }: Pick<BillingContext, 'ids' | 'clock'>,
  trx: Writer,
  invoiceId: string,
  kind: BillingNoticeRow['kind'],
): Promise<void> {
  if ((await findSettings(trx)).webhook_url === null) return;
  const now = clock.now();
  const row = { id: ids.notice(), invoice_id: invoiceId, kind, attempts: 0, last_error: null };
  // Due at once by any clock: what follows is measured by the machine's.
  await insertNotice(trx, { ...row, due_at: 0, created_at: now });
}

const LOOK_EVERY_MS = 10_000;
const PER_LOOK = 100;
const TIMEOUT_MS = 10_000;
/** Longer than one attempt takes: a notice whose sender died is tried again after that. */
const IN_HAND_MS = 60_000;
const FINISH_MS = 2_000;
const RETRIES = { firstMs: 10_000, longestMs: HOUR_MS, jitter: 0.1 };
/** Some 30 days of an attempt each hour. */
const ATTEMPTS_MAX = 720;

interface SenderParts {
  readonly egress: Pick<Egress, 'post'>;
  readonly machineClock: Clock;
  readonly log: JobLog & { warn(details: object, message: string): void };
}

/** Notifies the operator's billing system of invoices. Runs in every process; each notice is leased by one at a time. */
export function startNotices(
  context: BillingContext,
  { egress, machineClock, log }: SenderParts,
): PeriodicJob {
  const { store } = context;

  async function handle(row: BillingNoticeRow, signal: AbortSignal): Promise<void> {
    const attempts = row.attempts + 1;
    const inHand = { ...row, attempts, due_at: machineClock.now() + IN_HAND_MS };
    if (!(await store.transaction((trx) => postponeNotice(trx, row, inHand)))) return;
    const failure = await send(row, signal);
    if (failure !== undefined && attempts < ATTEMPTS_MAX) {
      const due_at = machineClock.now() + growingPause(RETRIES, attempts, context.random);
      await store.transaction((trx) =>
        postponeNotice(trx, inHand, { attempts, due_at, last_error: failure }),
      );
      return;
    }
    if (failure !== undefined) log.warn({ notice: row.id, failure }, 'a billing notice was given up');
    await store.transaction((trx) => deleteNotice(trx, row.id));
  }

  /** Undefined when the notice was accepted or is obsolete; otherwise the reason of the failure. */
  async function send(
    { id, invoice_id, kind }: BillingNoticeRow,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { webhook_url: url, webhook_secret: sealed } = await findSettings(store.read);
    const invoice = await findInvoiceIfAny(store.read, invoice_id);
    if (url === null || sealed === null || !invoice) return undefined;
    const body = JSON.stringify({ type: kind, invoice: publicInvoice(invoice) });
    try {
      const secrets = [Buffer.from(context.sealedBox.open(sealed, BILLING_SECRET)).toString()];
      const signing = { webhookId: WEBHOOK_ID, eventId: id, secrets, now: machineClock.now() };
      const headers = signedHeaders(signing, body);
      const { status } = await egress.post(url, { headers, body, timeoutMs: TIMEOUT_MS, signal });
      return status >= 200 && status < 300 ? undefined : `answered ${status}`;
    } catch (error) {
      if (error instanceof EgressError) return error.message;
      if (error instanceof UnopenableBox) return 'its secret is sealed under another master key';
      throw error;
    }
  }

  const looking = startPeriodicJob({
    clock: machineClock,
    everyMs: LOOK_EVERY_MS,
    async work(stopping) {
      const due = await dueNotices(store.read, machineClock.now(), PER_LOOK);
      for (const row of due) if (!stopping.aborted) await handle(row, stopping);
    },
    log,
    name: 'invoice-notices',
    ...(context.notices && { onWake: context.notices.onRing }),
  });

  return {
    // Another process retries a notice under way after its lease.
    stop: () => waitAtMost(machineClock, FINISH_MS, looking.stop()).then(() => {}),
  };
}

const WEBHOOK_ID = 'billing';
/** What the secret is sealed for. */
export const BILLING_SECRET = 'billing webhook secret';
