import { DELIVERY_HISTORY_MAX_ENTRIES, UNRECORDED_KINDS, WEBHOOK_PAUSE_DAYS } from '@parley/contract';
import { type JobLog, neverRejects, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { WebhooksContext } from '../context.ts';
import { accountsWithWebhooks, allWebhooks } from '../endpoints/endpoint-queries.ts';
import { dropStrayReceivers } from '../receivers/receiver-queries.ts';
import { dropExcess } from '../write-commands.ts';
import { dropEnded, expireStaleDeliveries } from './delivery-queries.ts';
import { historyBegins } from './history.ts';

/** Keeps the history of deliveries as long as the plan of its number says, and no longer than the latest of its account. */
export interface HistoryRetention {
  /** One more delivery of this account has come to its end. */
  noteEnded(accountId: string): void;
  /** Trims every account. */
  trimAll(): Promise<void>;
  start(): void;
  /** Finishes the step under way. */
  stop(): Promise<void>;
}

interface HistoryRetentionParts extends Pick<WebhooksContext, 'store' | 'clock' | 'planOf'> {
  readonly log: JobLog;
}

const HOUR_MS = 60 * 60_000;
const TRIM_ALL_EVERY_MS = HOUR_MS;
/** What waits to be delivered after a restart goes first. */
const FIRST_TRIM_AFTER_MS = 60_000;
/** An account that is busy does not wait for the hour. */
const TRIM_AFTER_ENDED = 100;
/** A delivery that its receiver's breaker kept from being tried for so long is dead. */
const QUEUED_AT_MOST_MS = 24 * HOUR_MS;
const KEPT_WHILE_PAUSED_MS = WEBHOOK_PAUSE_DAYS * 24 * HOUR_MS;
/** Each drops about as many as have ended since the last run, so that other writers wait only briefly. */
const ACCOUNTS_AT_ONCE = 32;
/** Rows per transaction, few enough that other writers wait only briefly. */
const STEP = 500;
const COMPLAINT = 'could not trim the history of deliveries';

export function createHistoryRetention({
  store,
  clock,
  planOf,
  log,
}: HistoryRetentionParts): HistoryRetention {
  const ended = new Map<string, number>();
  const overLimit = new Set<string>();
  const stopping = new AbortController();
  let working = Promise.resolve();
  let job: PeriodicJob | undefined;

  /** One after the other: trimming is never in a hurry. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    working = working.then(async () => {
      if (stopping.signal.aborted) return;
      await work().catch((error) => log.error({ err: error }, COMPLAINT));
    });
    return working;
  }

  async function inSteps(step: () => Promise<number>): Promise<void> {
    while (!stopping.signal.aborted && (await step()) === STEP);
  }

  async function dropTooMany(accountId: string): Promise<void> {
    const overflow = { accountId, keep: DELIVERY_HISTORY_MAX_ENTRIES, most: STEP };
    await inSteps(() => store.run(dropExcess, overflow));
  }

  /** Of several accounts at once: their rows lie among each other, and a page that is written once is cheaper than one that is written often. */
  async function dropTooManyOfSome(): Promise<void> {
    const accounts = [...overLimit].slice(0, ACCOUNTS_AT_ONCE);
    for (const accountId of accounts) overLimit.delete(accountId);
    await Promise.all(accounts.map(dropTooMany));
  }

  async function trim(accountId: string): Promise<void> {
    const now = clock.now();
    const stale = { accountId, queuedBefore: now - QUEUED_AT_MOST_MS, limit: STEP };
    await inSteps(() =>
      store.transaction((trx) => expireStaleDeliveries(trx, { ...stale, status: 'pending' })),
    );
    const kinds = [...UNRECORDED_KINDS];
    await inSteps(() => store.transaction((trx) => dropEnded(trx, { accountId, kinds, limit: STEP })));
    await dropTooMany(accountId);
    for (const webhook of await allWebhooks(store.read, accountId)) {
      const keptMs = webhook.paused_at === null ? QUEUED_AT_MOST_MS : KEPT_WHILE_PAUSED_MS;
      const held = { accountId, webhookId: webhook.id, queuedBefore: now - keptMs, limit: STEP };
      await inSteps(() =>
        store.transaction((trx) => expireStaleDeliveries(trx, { ...held, status: 'paused' })),
      );
      const queuedBefore = await historyBegins({ planOf, clock }, webhook);
      const old = { accountId, webhookId: webhook.id, queuedBefore, limit: STEP };
      await inSteps(() => store.transaction((trx) => dropEnded(trx, old)));
    }
  }

  async function trimAll(): Promise<void> {
    for (const accountId of await accountsWithWebhooks(store.read)) {
      if (stopping.signal.aborted) return;
      await trim(accountId);
      await store.transaction((trx) => dropStrayReceivers(trx, accountId));
    }
  }

  return {
    noteEnded(accountId) {
      const count = (ended.get(accountId) ?? 0) + 1;
      if (count < TRIM_AFTER_ENDED) {
        ended.set(accountId, count);
        return;
      }
      ended.delete(accountId);
      overLimit.add(accountId);
      neverRejects(inTurn(dropTooManyOfSome));
    },
    trimAll: () => inTurn(trimAll),
    start() {
      job ??= startPeriodicJob({
        clock,
        firstAfterMs: FIRST_TRIM_AFTER_MS,
        everyMs: TRIM_ALL_EVERY_MS,
        work: () => inTurn(trimAll),
        log,
        name: 'delivery-retention',
      });
    },
    async stop() {
      stopping.abort();
      await job?.stop();
      await working;
    },
  };
}
