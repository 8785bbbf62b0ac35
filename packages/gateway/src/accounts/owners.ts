import type { Account } from '@parley/contract';
import { fault } from '#kernel';
import { findAccount, publicAccount } from './accounts.ts';
import { record } from './audit/store.ts';
import type { AccountsContext } from './context.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { changeInTurn } from './store.ts';

/** The account that this password opens. Takes as long for an email that nobody has as for one with another password. */
export async function findOwner(
  { store }: AccountsContext,
  { email, password }: { email: string; password: string },
): Promise<Account | undefined> {
  const row = await store.read
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  const isOwner = await verifyPassword(password, row?.password_hash ?? null);
  return row && isOwner ? publicAccount(row) : undefined;
}

export async function changePassword(
  { store, clock, random }: AccountsContext,
  accountId: string,
  { current, next }: { current: string; next: string },
): Promise<void> {
  const before = await findAccount(store.read, accountId);
  if (!(await verifyPassword(current, before.password_hash))) throw fault('password_wrong');
  const hash = await hashPassword(next, random);
  await changeInTurn(store, async (trx) => {
    const changed = await trx
      .updateTable('accounts')
      .set({ password_hash: hash })
      .where('id', '=', accountId)
      // Whoever changed it meanwhile has made the current password another one.
      .where('password_hash', '=', before.password_hash)
      .executeTakeFirst();
    if (Number(changed.numUpdatedRows) === 0) throw fault('password_wrong');
    await record(trx, clock.now(), {
      actor: `owner:${accountId}`,
      accountId,
      action: 'password.changed',
      subject: accountId,
    });
  });
}
