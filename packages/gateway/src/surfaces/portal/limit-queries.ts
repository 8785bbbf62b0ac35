import { sql } from 'kysely';
import type { Store, Writer } from '#platform/store';

/** Reads the use of each limit and locks them until the transaction ends. */
export async function lockLimits(
  store: Store,
  trx: Writer,
  names: readonly string[],
): Promise<Map<string, number>> {
  const inOrder = [...names].sort();
  if (store.dialect === 'postgres') {
    for (const name of inOrder)
      await sql`select pg_advisory_xact_lock(hashtext('parley portal'), hashtext(${name}))`.execute(trx);
  }
  const rows = await trx
    .selectFrom('portal_limits')
    .select(['name', 'full_at'])
    .where('name', 'in', inOrder)
    .execute();
  return new Map(rows.map(({ name, full_at }) => [name, full_at]));
}

export async function writeLimit(trx: Writer, name: string, fullAt: number): Promise<void> {
  await trx
    .insertInto('portal_limits')
    .values({ name, full_at: fullAt })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ full_at: fullAt }))
    .execute();
}

export async function deleteUnusedLimits(trx: Writer, family: string, now: number): Promise<void> {
  await trx
    .deleteFrom('portal_limits')
    .where('full_at', '<=', now)
    .where('name', 'like', `${family}/%`)
    .execute();
}

export async function sessionIdsOf({ read }: Pick<Store, 'read'>, accountId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('sessions')
    .select('session_id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ session_id }) => session_id);
}
