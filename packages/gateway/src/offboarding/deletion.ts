import { type AccountDeletion, DELETION_GRACE_DAYS } from '@parley/contract';
import {
  type Actor,
  auditedTransaction,
  changeAccount,
  deleteSomeEntries,
  devicesOf,
  findAccount,
  leaveTombstone,
  record,
} from '#accounts';
import { deleteFreeInvoices } from '#billing';
import {
  apiError,
  type Clock,
  DAY_MS,
  eachInTurn,
  type JobLog,
  type PeriodicJob,
  startPeriodicJob,
} from '#kernel';
import { blobNameOf, deleteObjects, type MediaStore, someObjectsOf } from '#media';
import type { AccountDeletionRow } from '#platform/store';
import type { LifeContext } from './context.ts';
import { DATA_CATEGORIES, type DataCategory } from './data-categories/catalogue.ts';
import { eraseRows, idsOf } from './data-categories/category-queries.ts';
import {
  dropDeletion,
  findDeletion,
  isAnyEnding,
  listDeletions,
  noteLinks,
  removalsOf,
  writeDeletion,
} from './offboarding-queries.ts';
import { removeNumber } from './remove-number.ts';

const GRACE_MS = DELETION_GRACE_DAYS * DAY_MS;

/**
 * Schedules the deletion of an account. Until the grace period ends the account works as before, except for new
 * numbers; then all of it is erased. A repeated request can only shorten the period.
 */
export function askForDeletion(
  { store, clock }: Pick<LifeContext, 'store' | 'clock'>,
  actor: Actor,
  { accountId, now: isNow = false }: { accountId: string; now?: boolean | undefined },
): Promise<AccountDeletion> {
  return auditedTransaction(store, async (trx) => {
    await findAccount(trx, accountId);
    const now = clock.now();
    const before = await findDeletion(trx, accountId);
    if (before && (before.links !== null || !isNow)) return publicDeletion(before);
    const due_at = isNow ? now : now + GRACE_MS;
    const row = {
      account_id: accountId,
      asked_by: actor,
      asked_at: before?.asked_at ?? now,
      due_at,
      links: null,
    };
    await writeDeletion(trx, row);
    const detail = { due_at: new Date(due_at).toISOString() };
    const change = {
      actor,
      accountId,
      action: 'account.deletion_asked',
      subject: accountId,
      detail,
    } as const;
    await record(trx, now, change);
    return publicDeletion(row);
  });
}

/** Refuses once the erasure has begun. */
export function cancelDeletion(
  { store, clock }: Pick<LifeContext, 'store' | 'clock'>,
  actor: Actor,
  accountId: string,
): Promise<void> {
  return auditedTransaction(store, async (trx) => {
    await findAccount(trx, accountId);
    const deletion = await findDeletion(trx, accountId);
    if (!deletion || deletion.links !== null) throw apiError('deletion_not_found');
    await dropDeletion(trx, accountId);
    const change = { actor, accountId, action: 'account.deletion_canceled', subject: accountId } as const;
    await record(trx, clock.now(), change);
  });
}

export async function deletionOf(
  { store }: Pick<LifeContext, 'store'>,
  accountId: string,
): Promise<AccountDeletion | null> {
  const row = await findDeletion(store.read, accountId);
  return row ? publicDeletion(row) : null;
}

export function publicDeletion({ account_id, asked_at, due_at }: AccountDeletionRow): AccountDeletion {
  return {
    account_id,
    asked_at: new Date(asked_at).toISOString(),
    due_at: new Date(due_at).toISOString(),
  };
}

export interface EraseContext extends LifeContext {
  readonly blobs: Pick<MediaStore, 'delete'>;
}

const ERASE_EVERY_MS = 30_000;
/** How long unlinking on the network may take before the keys are erased anyway. */
const UNLINK_PATIENCE_MS = DAY_MS;

/** Tables that keep rows, or are erased separately. */
const OTHERWISE: ReadonlySet<DataCategory['table']> = new Set([
  'accounts',
  'account_deletions',
  'audit_log',
  'invoices',
  'media_objects',
]);

/** Erases accounts after their grace period, in small steps, and resumes after a stop. */
export function startErasing(
  context: EraseContext,
  { machineClock, log }: { machineClock: Clock; log: JobLog },
): PeriodicJob {
  return startPeriodicJob({
    clock: machineClock,
    everyMs: ERASE_EVERY_MS,
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
 *     due ──▶ begun: closed to all ──▶ numbers unlinked and removed ──▶ rows and files erased ──▶ tombstone ──▶ forgotten
 *
 * Every step can be repeated: it handles what is left.
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
  // Their receivers get the last events first; see `startRemovals`.
  if ((await removalsOf(store.read, accountId)).length > 0) return;
  const isPatient = clock.now() < begun.dueAt + UNLINK_PATIENCE_MS;
  if (isPatient && (await isAnyEnding(store.read, begun.links))) return;
  await eraseCategories(context, accountId, begun.links, stopping);
  if (!stopping?.aborted) await finish(context, accountId, stopping);
}

/** Closes the account for good. Undefined when the deletion was cancelled meanwhile. */
async function begin(
  context: EraseContext,
  accountId: string,
): Promise<{ links: readonly string[]; dueAt: number } | undefined> {
  const { store, clock } = context;
  const links = await idsOf(store.read, 'link', accountId);
  const begun = await auditedTransaction(store, async (trx) => {
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

async function eraseCategories(
  { store, blobs }: EraseContext,
  accountId: string,
  links: readonly string[],
  stopping?: AbortSignal,
): Promise<void> {
  for (const holding of DATA_CATEGORIES) {
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

/** Numbered invoices stay, with the name to which they were issued. */
async function finish(
  { store, clock }: EraseContext,
  accountId: string,
  stopping?: AbortSignal,
): Promise<void> {
  await deleteFreeInvoices(store, accountId);
  await auditedTransaction(store, async (trx) => {
    if (!(await leaveTombstone(trx, accountId, clock.now()))) return;
    const change = { actor: 'system', accountId, action: 'account.erased', subject: accountId } as const;
    await record(trx, clock.now(), change);
  });
  while (!stopping?.aborted && (await deleteSomeEntries(store, accountId)));
  if (stopping?.aborted) return;
  await store.transaction((trx) => dropDeletion(trx, accountId));
  await store.foldLog();
}
