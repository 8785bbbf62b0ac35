import { type Actor, endRemoval, releasePhone, removeDevice } from '#accounts';
import { invoiceDevice } from '#billing';
import { choose } from '#conversations';
import {
  apiError,
  type Clock,
  DAY_MS,
  eachInTurn,
  type JobLog,
  type PeriodicJob,
  startPeriodicJob,
} from '#kernel';
import { abandonQueue } from '#messages';
import type { NumberRemovalRow } from '#platform/store';
import { eraseDeliveries, removeFormattedWebhook, removeWebhook } from '#webhooks';
import type { LifeContext } from './context.ts';
import { DATA_CATEGORIES } from './data-categories/catalogue.ts';
import { eraseRows } from './data-categories/category-queries.ts';
import { findRemoval, hasPendingEvents, listRemovals, webhooksOfNumber } from './offboarding-queries.ts';

const LOOK_EVERY_MS = 10_000;
/** How long a webhook has to receive the last events of its number. */
const FLUSH_EVENTS_MS = DAY_MS;
const REMOVED = 'The number was removed.';

/**
 * Removes a number from its account for good. When this resolves, it is unlinked, its phone is free, and its queued messages have failed
 * with an event; its webhook is deleted after it has received these events.
 *
 *     registered ──▶ removed ──▶ unlinked, invoiced, phone free ──▶ events delivered, or a day is over ──▶ erased
 *
 * Each step detects whether it was taken already: after a crash `startRemovals` of any process resumes.
 */
export async function removeNumber(context: LifeContext, actor: Actor, slotId: string): Promise<void> {
  await removeDevice(context, actor, slotId);
  const removal = await findRemoval(context.store.read, slotId);
  if (removal) await releaseNumber(context, removal);
}

/** Unlinks the number, creates its final invoice, and frees its phone. */
async function releaseNumber(
  context: LifeContext,
  removal: NumberRemovalRow,
  stopping?: AbortSignal,
): Promise<void> {
  const { store, clock, billing, linking } = context;
  const { slot_id: slotId, account_id: accountId, phone } = removal;
  // The number is gone, so its plan decides nothing.
  await linking.endAll({ slotId, accountId, phone, plan: 'free' });
  await abandonQueue(context, slotId, REMOVED, stopping);
  const invoices = await invoiceDevice(billing, 'system', slotId, clock.now());
  if (invoices.length > 0) billing.notices?.ring();
  await store.transaction((trx) => releasePhone(trx, slotId));
}

/** Erases data of removed numbers once it is not needed to deliver their last events. */
export function startRemovals(
  context: LifeContext,
  { machineClock, log }: { machineClock: Clock; log: JobLog },
): PeriodicJob {
  return startPeriodicJob({
    clock: machineClock,
    everyMs: LOOK_EVERY_MS,
    work: (stopping) => finishRemovals(context, stopping),
    log,
    name: 'number-erasure',
  });
}

export async function finishRemovals(context: LifeContext, stopping?: AbortSignal): Promise<void> {
  const removals = await listRemovals(context.store.read);
  await eachInTurn(removals, (removal) => finishRemoval(context, removal, stopping), stopping);
}

async function finishRemoval(
  context: LifeContext,
  removal: NumberRemovalRow,
  stopping?: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  await releaseNumber(context, removal, stopping);
  const isOverdue = clock.now() - removal.removed_at >= FLUSH_EVENTS_MS;
  if (isOverdue || !(await hasPendingEvents(store.read, removal)))
    await eraseNumber(context, removal, stopping);
}

/** Messages and events stay for their usual period, under the account; invoices stay. */
async function eraseNumber(
  context: LifeContext,
  removal: NumberRemovalRow,
  stopping?: AbortSignal,
): Promise<void> {
  const { store, history, webhooks } = context;
  const { slot_id: slotId, account_id: accountId, phone } = removal;
  await choose(history, { slotId, accountId, phone }, { enabled: false });
  const caller = { accountId, phone: null, permissions: null, blocked: null };
  for (const { id, format } of await webhooksOfNumber(store.read, slotId)) {
    while (!stopping?.aborted && (await eraseDeliveries(store, accountId, id)));
    if (format === null) await removeWebhook(webhooks, caller, id);
    else await removeFormattedWebhook(webhooks, { slotId }, format);
  }
  for (const { withNumber, ...holding } of DATA_CATEGORIES) {
    if (withNumber === undefined) continue;
    while (!stopping?.aborted && (await eraseRows(store, { ...holding, column: withNumber }, slotId)) > 0);
  }
  if (stopping?.aborted) return;
  await store.foldLog();
  await endRemoval(store, slotId);
}

/** A number that the operator has deactivated cannot be reactivated by registering it anew. */
export function refuseUnlessOwners(device: { status: string; canceled_at: string | null }): void {
  if (device.status !== 'active' && device.canceled_at === null) throw apiError('device_not_active');
}
