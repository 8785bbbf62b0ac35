import { erase, type Store } from '#platform/store';

const STEP = 500;

/** Some of what was to be delivered to a webhook, whether it was or not; false once nothing is left. */
export function eraseDeliveries(store: Store, accountId: string, webhookId: string): Promise<boolean> {
  return erase(store, async (trx) => {
    const some = trx
      .selectFrom('deliveries')
      .select('seq')
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .limit(STEP);
    const { numDeletedRows } = await trx.deleteFrom('deliveries').where('seq', 'in', some).executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
