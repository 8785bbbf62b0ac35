import { type Actor, endRemoval, releasePhone, removeDevice } from '#accounts';
import { invoiceDevice } from '#billing';
import { choose } from '#history';
import { type Clock, eachInTurn, fault, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import { abandonQueue } from '#messages';
import type { NumberRemovalRow } from '#store';
import { eraseDeliveries, removeFormattedWebhook, removeWebhook } from '#webhooks';
import type { LifeContext } from '../context.ts';
import { HOLDINGS } from '../holdings/catalogue.ts';
import { eraseRows } from '../holdings/store.ts';
import { findRemoval, hasSomethingToTell, listRemovals, webhooksOfNumber } from './store.ts';

const LOOK_EVERY_MS = 10_000;
/** How long a webhook may take to hear the last of its number. */
const LAST_WORDS_MS = 24 * 60 * 60_000;
const REMOVED = 'The number was removed.';

/**
 * Takes a number out of its account for good. When this resolves, it is unlinked, its phone is free, and whatever waited to be sent has failed
 * and says so; its webhook goes when it has heard that.
 *
 *     registered ──▶ removed ──▶ unlinked, invoiced, phone free ──▶ all is told, or a day is over ──▶ erased
 *
 * Each step finds out for itself whether it was taken already: whoever dies over one is followed by `startRemovals` of any process.
 */
export async function removeNumber(context: LifeContext, actor: Actor, slotId: string): Promise<void> {
  await removeDevice(context, actor, slotId);
  const removal = await findRemoval(context.store.read, slotId);
  if (removal) await letGo(context, removal);
}

/** Unlinks it, asks for the last money, and frees its phone. */
async function letGo(context: LifeContext, removal: NumberRemovalRow, stopping?: AbortSignal): Promise<void> {
  const { store, clock, billing, linking } = context;
  const { slot_id: slotId, account_id: accountId, phone } = removal;
  // Nothing is decided by the plan of a number that is none any more.
  await linking.endAll({ slotId, accountId, phone, plan: 'free' });
  await abandonQueue(context, slotId, REMOVED, stopping);
  const invoices = await invoiceDevice(billing, 'system', slotId, clock.now());
  if (invoices.length > 0) billing.notices?.ring();
  await store.transaction((trx) => releasePhone(trx, slotId));
}

/** Erases what belongs to removed numbers, once it is not needed to tell of their end. */
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
  await letGo(context, removal, stopping);
  const isOverdue = clock.now() - removal.removed_at >= LAST_WORDS_MS;
  if (isOverdue || !(await hasSomethingToTell(store.read, removal)))
    await eraseNumber(context, removal, stopping);
}

/** What was sent and what happened stays as long as it always does, under the account; invoices stay. */
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
  for (const { withNumber, ...holding } of HOLDINGS) {
    if (withNumber === undefined) continue;
    while (!stopping?.aborted && (await eraseRows(store, { ...holding, column: withNumber }, slotId)) > 0);
  }
  if (stopping?.aborted) return;
  await store.foldLog();
  await endRemoval(store, slotId);
}

/** What the operator has taken out of service is not brought back by registering it anew. */
export function refuseUnlessOwners(device: { status: string; canceled_at: string | null }): void {
  if (device.status !== 'active' && device.canceled_at === null) throw fault('device_not_active');
}
