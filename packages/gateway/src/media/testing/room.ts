import { randomBytes } from 'node:crypto';
import type { Store } from '#platform/store';

/** As if an account had a file of so many bytes. */
export async function occupy(
  store: Store,
  accountId: string,
  size: number,
  budget: 'export' | null = null,
): Promise<void> {
  const row = { account_id: accountId, fingerprint: randomBytes(32), uses: 1, made_at: 0 };
  await store.transaction((trx) =>
    trx
      .insertInto('media_objects')
      .values({ id: `of_${accountId}_${budget}`, ...row, size, budget })
      .execute(),
  );
}

/** The bytes that an account has. */
export async function kept(store: Store, accountId: string): Promise<number> {
  const rows = await store.read
    .selectFrom('media_objects')
    .select('size')
    .where('account_id', '=', accountId)
    .execute();
  return rows.reduce((sum, { size }) => sum + Number(size), 0);
}

/** What is on its way to it. */
export function reserved(store: Store, accountId: string): Promise<{ size: number }[]> {
  return store.read
    .selectFrom('media_reservations')
    .select('size')
    .where('account_id', '=', accountId)
    .execute();
}
