import { type AccountDeletion, DELETION_GRACE_DAYS } from '@parley/contract';
import { type Actor, changeInTurn, findAccount, record } from '#accounts';
import { fault } from '#kernel';
import type { AccountDeletionRow } from '#store';
import type { LifeContext } from '../context.ts';
import { dropDeletion, findDeletion, writeDeletion } from './store.ts';

const GRACE_MS = DELETION_GRACE_DAYS * 86_400_000;

/**
 * From now until the grace is over the account goes on as it was, but for new numbers; then everything of it is erased. Asked for again, it may
 * become due sooner.
 */
export function askForDeletion(
  { store, clock }: Pick<LifeContext, 'store' | 'clock'>,
  actor: Actor,
  { accountId, now: isNow = false }: { accountId: string; now?: boolean | undefined },
): Promise<AccountDeletion> {
  return changeInTurn(store, async (trx) => {
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

/** A fault once the erasing has begun. */
export function cancelDeletion(
  { store, clock }: Pick<LifeContext, 'store' | 'clock'>,
  actor: Actor,
  accountId: string,
): Promise<void> {
  return changeInTurn(store, async (trx) => {
    await findAccount(trx, accountId);
    const deletion = await findDeletion(trx, accountId);
    if (!deletion || deletion.links !== null) throw fault('deletion_not_found');
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
