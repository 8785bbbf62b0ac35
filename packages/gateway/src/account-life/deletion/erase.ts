import { changeAccount, changeInTurn, deleteSomeEntries, devicesOf, leaveTombstone, record } from '#accounts';
import { deleteFreeInvoices } from '#billing';
import { type Clock, eachInTurn, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import { blobNameOf, deleteObjects, type MediaStore, someObjectsOf } from '#media';
import type { AccountDeletionRow } from '#store';
import type { LifeContext } from '../context.ts';
import { HOLDINGS, type Holding } from '../holdings/catalogue.ts';
import { eraseRows, idsOf } from '../holdings/store.ts';
import { removeNumber } from '../numbers/remove.ts';
import { dropDeletion, findDeletion, isAnyEnding, listDeletions, noteLinks, removalsOf } from './store.ts';

export interface EraseContext extends LifeContext {
  readonly blobs: Pick<MediaStore, 'delete'>;
}

const LOOK_EVERY_MS = 30_000;
/** How long the network may take to hear that its devices are unlinked, before their keys go all the same. */
const UNLINK_PATIENCE_MS = 24 * 60 * 60_000;

/** Of these something is kept, or they go in a way of their own. */
const OTHERWISE: ReadonlySet<Holding['table']> = new Set([
  'accounts',
  'account_deletions',
  'audit_log',
  'invoices',
  'media_objects',
]);

/** Erases accounts whose grace is over, in small steps, and goes on where it was stopped. */
export function startErasing(
  context: EraseContext,
  { machineClock, log }: { machineClock: Clock; log: JobLog },
): PeriodicJob {
  return startPeriodicJob({
    clock: machineClock,
    everyMs: LOOK_EVERY_MS,
    work: (stopping) => eraseDue(context, stopping),
    log,
    name: 'account-erasure',
  });
}

export async function eraseDue(context: EraseContext, stopping?: AbortSignal): Promise<void> {
  const now = context.clock.now();
  const due = (await listDeletions(context.store.read)).filter(({ due_at }) => due_at <= now);
  await eachInTurn(due, (deletion) => eraseAccount(context, deletion, stopping), stopping);
}

/**
 *     due ──▶ begun: closed to everybody ──▶ numbers unlinked and removed ──▶ rows and files erased ──▶ tombstone ──▶ forgotten
 *
 * Every step can be taken again: what it finds is what is left to do.
 */
async function eraseAccount(
  context: EraseContext,
  { account_id: accountId }: AccountDeletionRow,
  stopping?: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  const begun = await begin(context, accountId);
  if (!begun) return;
  for (const { slot_id } of await devicesOf(store.read, accountId)) {
    if (stopping?.aborted) return;
    await removeNumber(context, 'system', slot_id);
  }
  // Their receivers hear of it first; see `startRemovals`.
  if ((await removalsOf(store.read, accountId)).length > 0) return;
  const isPatient = clock.now() < begun.dueAt + UNLINK_PATIENCE_MS;
  if (isPatient && (await isAnyEnding(store.read, begun.links))) return;
  await eraseHoldings(context, accountId, begun.links, stopping);
  if (!stopping?.aborted) await finish(context, accountId, stopping);
}

/** From now on nobody enters, and there is no way back. Undefined when it was canceled meanwhile. */
async function begin(
  context: EraseContext,
  accountId: string,
): Promise<{ links: readonly string[]; dueAt: number } | undefined> {
  const { store, clock } = context;
  const links = await idsOf(store.read, 'link', accountId);
  const begun = await changeInTurn(store, async (trx) => {
    const deletion = await findDeletion(trx, accountId);
    if (!deletion || deletion.links !== null) return deletion;
    await noteLinks(trx, accountId, links);
    const change = {
      actor: 'system',
      accountId,
      action: 'account.deletion_begun',
      subject: accountId,
    } as const;
    await record(trx, clock.now(), change);
    return { ...deletion, links: JSON.stringify(links) };
  });
  if (!begun) return undefined;
  await changeAccount(context, 'system', accountId, { status: 'suspended' }).catch(ignoreIfErased);
  return { links: JSON.parse(begun.links ?? '[]'), dueAt: begun.due_at };
}

function ignoreIfErased(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'account_not_found') throw error;
}

async function eraseHoldings(
  { store, blobs }: EraseContext,
  accountId: string,
  links: readonly string[],
  stopping?: AbortSignal,
): Promise<void> {
  for (const holding of HOLDINGS) {
    if (OTHERWISE.has(holding.table)) continue;
    const ids = holding.of === 'link' ? links : await idsOf(store.read, holding.of, accountId);
    for (const id of ids) {
      while (!stopping?.aborted && (await eraseRows(store, holding, id, stopping)) > 0);
    }
  }
  // The file first: a row without its file is found again, a file without its row is not.
  for (;;) {
    const objects = await someObjectsOf(store.read, accountId);
    if (objects.length === 0 || stopping?.aborted) break;
    for (const { id } of objects) await blobs.delete(blobNameOf(accountId, id));
    await deleteObjects(
      store,
      accountId,
      objects.map(({ id }) => id),
    );
  }
}

/** Its numbered invoices stay, with the name that they were issued to. */
async function finish(
  { store, clock }: EraseContext,
  accountId: string,
  stopping?: AbortSignal,
): Promise<void> {
  await deleteFreeInvoices(store, accountId);
  await changeInTurn(store, async (trx) => {
    if (!(await leaveTombstone(trx, accountId, clock.now()))) return;
    const change = { actor: 'system', accountId, action: 'account.erased', subject: accountId } as const;
    await record(trx, clock.now(), change);
  });
  while (!stopping?.aborted && (await deleteSomeEntries(store, accountId)));
  if (stopping?.aborted) return;
  await store.transaction((trx) => dropDeletion(trx, accountId));
  await store.foldLog();
}
